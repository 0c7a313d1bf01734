"""The vault: credentials encrypted at rest: keys, encrypted files, logins, and key rotation."""

"""The vault: what proves who the user is, sealed at rest: keys, sealed files, logins, and a new key for all of them."""

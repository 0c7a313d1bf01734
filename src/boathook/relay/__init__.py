"""The relay: any CDP client on the user's own Chrome, through our extension."""

"""From a command line or JSON to a command with typed arguments and settings."""

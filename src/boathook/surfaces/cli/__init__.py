"""The terminal's door: a thin client that sends command lines to the daemon."""

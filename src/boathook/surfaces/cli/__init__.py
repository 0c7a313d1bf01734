"""The command line: a thin client that sends command lines to the daemon."""

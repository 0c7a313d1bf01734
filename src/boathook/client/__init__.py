"""Clients of the daemon: blocking (standard library only) and async."""

"""Runs commands for callers: what is allowed, where it runs, and what is recorded."""

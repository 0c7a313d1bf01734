"""Secrets by name, where they come from, and which must not be printed."""

"""Keyboard and mouse input."""

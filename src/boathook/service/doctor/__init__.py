"""Checks and repairs of the installation."""

"""Stealth: what pages can observe about a browser that we started, consistent everywhere."""

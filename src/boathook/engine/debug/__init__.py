"""Debugging pages: performance, accessibility, styles, coverage, frameworks, developer tools."""

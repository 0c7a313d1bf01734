"""Surfaces: command line, MCP server, Python API and script processes."""

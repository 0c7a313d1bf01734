"""Clients: where other programs keep their lists of MCP servers, and how ours is written into them."""

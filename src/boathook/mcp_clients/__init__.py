"""MCP clients: where other programs keep their lists of MCP servers, and how our entry is added."""

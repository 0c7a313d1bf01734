"""Starting the MCP server."""

"""Real agent programs and libraries with Boathook as their MCP server, and what their models are sent."""

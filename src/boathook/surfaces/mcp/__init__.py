"""The MCP server: tools, resources and prompts for MCP clients, over stdio or loopback HTTP."""

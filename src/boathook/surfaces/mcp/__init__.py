"""The MCP door: tools, resources and prompts for agents' programs, over stdio or loopback HTTP."""

"""The homes of MCP servers, as tests/mcp has them."""

from tests.mcp.conftest import client_with, foreign_address, home

__all__ = ["client_with", "foreign_address", "home"]

"""Surfaces: where a call comes from."""

from __future__ import annotations

from enum import StrEnum


class Surface(StrEnum):
    """Where a call comes from; policies, defaults and the form of answers depend on it."""

    COMMAND_LINE = "command line"
    PYTHON = "python"
    MCP_STDIO = "mcp stdio"
    MCP_HTTP = "mcp http"

    @classmethod
    def parse(cls, text: str) -> Surface:
        """The surface of this name; a program with another name is one that the user runs."""
        return cls(text) if text in set(cls) else cls.COMMAND_LINE

    @property
    def is_model(self) -> bool:
        """Whether a model makes the calls, and reads the answers."""
        return self in {Surface.MCP_STDIO, Surface.MCP_HTTP}

"""Which engine runs a script: from the call, the settings, and what the surface allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from boathook.commands.program.scripts import Engine
from boathook.errors import BadRequest, PolicyBlocked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.commands.program.scripts import Language
    from boathook.service.surface import Surface

ENGINES: tuple[Engine, ...] = get_args(Engine)
"""From the most to the least restricted."""


def choose_engine(
    asked: Engine | None,
    *,
    language: Language,
    settings: Mapping[str, Any],
    surface: Surface,
    locked: bool = False,
) -> Engine:
    """The engine for a script; PolicyBlocked if an MCP client, or under a policy file any caller, asks for more than is allowed."""
    over_mcp = surface.is_model
    usual: Engine = settings.get("script_engine") or ("safe" if over_mcp else "jail")
    if language != "python":
        if asked == "safe":
            raise BadRequest("the engine safe supports only Python", hint="omit engine")
        if locked:
            raise PolicyBlocked(f"a policy file allows only Python in the engine {usual}")
        usual = "jail"
    engine = asked or usual
    if locked and ENGINES.index(engine) > ENGINES.index(usual):
        raise PolicyBlocked(f"the engine {engine} is not allowed by a policy file", hint="omit engine")
    if over_mcp and ENGINES.index(engine) > ENGINES.index(usual):
        if engine == "unsafe":
            raise PolicyBlocked(
                "scripts without a sandbox are not allowed for MCP clients", hint="omit engine"
            )
        raise PolicyBlocked(
            f"the engine {engine} is not allowed for MCP clients",
            hint=f'omit engine, or ask the user to set script_engine = "{engine}"',
        )
    return engine

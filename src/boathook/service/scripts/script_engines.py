"""Which engine runs a script: what is asked for, what the settings say, and what the door allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from boathook.commands.program.scripts import Engine
from boathook.errors import BadRequest, PolicyBlocked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.commands.program.scripts import Language

ENGINES: tuple[Engine, ...] = get_args(Engine)
"""From the narrowest to the widest."""


def chosen_engine(
    asked: Engine | None, *, language: Language, settings: Mapping[str, Any], door: str
) -> Engine:
    """The engine for a script; PolicyBlocked when a client of ours asks for more than its user allows."""
    over_mcp = door.startswith("mcp")
    usual: Engine = settings.get("script_engine") or ("safe" if over_mcp else "jail")
    if language != "python":
        if asked == "safe":
            raise BadRequest("the engine safe is for Python", hint="leave the engine out")
        usual = "jail"
    engine = asked or usual
    if over_mcp and ENGINES.index(engine) > ENGINES.index(usual):
        if engine == "unsafe":
            raise PolicyBlocked("scripts without a jail are not run for MCP clients", hint="leave engine out")
        raise PolicyBlocked(
            f"the engine {engine} is not allowed for MCP clients",
            hint=f'leave engine out, or the user sets script_engine = "{engine}"',
        )
    return engine

"""Tools and endpoints: what MCP clients are offered, and whether a browser that listens can be worked with."""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any

from boathook.commands.views.direct import place_of
from boathook.errors import BadRequest, BoathookError
from boathook.hints import COMMAND_LINE, render
from boathook.registry.context import Finding, HostScope
from boathook.registry.registry import Doc, Scope, command


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A tool of an MCP server of ours."""

    name: str
    description: str
    parameters: tuple[str, ...]
    required: tuple[str, ...]


@command(group="machine", scope=Scope.HOST, examples=("tools", "tools direct"))
async def tools(
    host: HostScope,
    set: Annotated[str, Doc("a tool set: core, full, single, direct, named, argv or a family")] = "core",
) -> list[OfferedTool]:
    """The tools that `boathook mcp --tools` offers, with their parameters."""
    del host
    catalogue = json.loads(
        importlib.resources.files("boathook.data").joinpath("tools.json").read_text("utf-8")
    )
    if set not in catalogue["sets"]:
        near = get_close_matches(set, catalogue["sets"], n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(catalogue['sets'])}"
        raise BadRequest(f"there is no tool set {set!r:.40}", hint=hint)
    return [_offered(catalogue["tools"][key]) for key in catalogue["sets"][set]]


def _offered(tool: dict[str, Any]) -> OfferedTool:
    schema = tool["inputSchema"]
    return OfferedTool(
        name=tool["name"],
        description=tool["description"],
        parameters=tuple(schema["properties"]),
        required=tuple(schema.get("required", ())),
    )


@command(group="machine", scope=Scope.HOST, examples=("smoke 9222", "smoke http://127.0.0.1:9222"))
async def smoke(
    host: HostScope, endpoint: Annotated[str, Doc("a port, http://host:port or ws://…")]
) -> list[Finding]:
    """Try whether a browser that listens can be worked with: it is looked at, and nothing in it is changed."""
    place = place_of(endpoint)
    found: list[Finding] = []
    try:
        pages = await host.run("pages", {}, settings=place)
    except BoathookError as error:
        return [
            Finding(
                name="answers", ok=False, said=error.message, cure=render(error.marked_hint, COMMAND_LINE)
            )
        ]
    found.append(Finding(name="answers", ok=True, said=host.session(place["session"]).browser))
    shown = ", ".join(page.url[:80] for page in pages[:3])
    if not pages:
        return [*found, Finding(name="pages", ok=False, said="it shows no page", cure="open one in it")]
    found.append(Finding(name="pages", ok=True, said=f"{len(pages)}: {shown}"))
    there = {**place, "tab": pages[0].target_id}
    for name, run, arguments in (
        ("snapshot", "snapshot", {}),
        ("script", "evaluate", {"script": "1 + 1"}),
        ("picture", "screenshot", {"for_model": True}),
    ):
        found.append(await _tried(host, name, run, arguments, there))
    return found


async def _tried(
    host: HostScope, name: str, run: str, arguments: dict[str, Any], place: dict[str, Any]
) -> Finding:
    try:
        await host.run(run, arguments, settings=place)
    except BoathookError as error:
        return Finding(name=name, ok=False, said=error.message, cure=render(error.marked_hint, COMMAND_LINE))
    return Finding(name=name, ok=True, said="works")

"""MCP tool lists, and a smoke test for CDP endpoints."""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import dataclass
from typing import Annotated, Any

from boathook.commands.views.direct import place_of
from boathook.effects import SideEffect
from boathook.errors import BadRequest, BoathookError
from boathook.hints import COMMAND_LINE, render
from boathook.registry.context import CheckResult, HostApi
from boathook.registry.registry import Doc, Scope, command
from boathook.similar_words import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class McpToolInfo:
    """A tool of the MCP server."""

    name: str
    description: str
    parameters: tuple[str, ...]
    required: tuple[str, ...]


@command(group="machine", scope=Scope.HOST, category="", own_text=True, examples=("tools", "tools direct"))
async def tools(
    host: HostApi,
    set: Annotated[str, Doc("a tool set: core, full, single, direct, named, argv or a family")] = "core",
) -> list[McpToolInfo]:
    """List the tools of `boathook mcp --tools` with their parameters."""
    del host
    catalogue = json.loads(
        importlib.resources.files("boathook.data").joinpath("tools.json").read_text("utf-8")
    )
    if set not in catalogue["sets"]:
        hint = did_you_mean(set, catalogue["sets"], otherwise=f"use {', '.join(catalogue['sets'])}")
        raise BadRequest(f"no such tool set: {set!r:.40}", hint=hint)
    return [_tool_info(catalogue["tools"][key]) for key in catalogue["sets"][set]]


def _tool_info(tool: dict[str, Any]) -> McpToolInfo:
    schema = tool["inputSchema"]
    return McpToolInfo(
        name=tool["name"],
        description=tool["description"],
        parameters=tuple(schema["properties"]),
        required=tuple(schema.get("required", ())),
    )


@command(
    group="machine",
    scope=Scope.HOST,
    category="",
    side_effects=(SideEffect.ATTACHES_BROWSER,),
    fails_on_findings=True,
    examples=("smoke 9222", "smoke http://127.0.0.1:9222"),
)
async def smoke(
    host: HostApi, endpoint: Annotated[str, Doc("CDP port, http://host:port or ws://…")]
) -> list[CheckResult]:
    """Test whether a CDP endpoint works. Nothing in the browser is changed."""
    place = place_of(host, endpoint)
    found: list[CheckResult] = []
    try:
        pages = await host.run("pages", {}, settings=place)
    except BoathookError as error:
        return [
            CheckResult(
                name="answers", ok=False, said=error.message, cure=render(error.marked_hint, COMMAND_LINE)
            )
        ]
    found.append(CheckResult(name="answers", ok=True, said=host.session(place["session"]).browser))
    shown = ", ".join(page.url[:80] for page in pages[:3])
    if not pages:
        return [
            *found,
            CheckResult(
                name="pages", ok=False, said="the browser has no open page", cure="open a page in the browser"
            ),
        ]
    found.append(CheckResult(name="pages", ok=True, said=f"{len(pages)}: {shown}"))
    there = {**place, "tab": pages[0].target_id}
    for name, run, arguments in (
        ("snapshot", "snapshot", {}),
        ("script", "evaluate", {"script": "1 + 1"}),
        ("picture", "screenshot", {"for_model": True}),
    ):
        found.append(await _try_command(host, name, run, arguments, there))
    return found


async def _try_command(
    host: HostApi, name: str, run: str, arguments: dict[str, Any], place: dict[str, Any]
) -> CheckResult:
    try:
        await host.run(run, arguments, settings=place)
    except BoathookError as error:
        return CheckResult(
            name=name, ok=False, said=error.message, cure=render(error.marked_hint, COMMAND_LINE)
        )
    return CheckResult(name=name, ok=True, said="works")

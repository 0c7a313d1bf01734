"""WebMCP: tools that a page offers to agents. Their descriptions and results are untrusted page content."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.engine.debug.main_world_eval import own_value, put_into_new_documents
from boathook.errors import BadRequest, PageError, ResultTooLarge
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

MOST_TOOLS = 100
LONGEST_TEXT = 1_000
LARGEST_ANSWER = 256 * 1024


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class PageTool:
    """One tool of the page."""

    name: str
    description: str
    schema: Any


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """The result of a tool of the page."""

    tool: str
    text: str


async def prepare(tab: Tab, *, deadline: Deadline) -> bool:
    """Provide the API that pages register tools with; returns whether the page must be reloaded for that."""
    async with deadline.stage("checking the page for tools"):
        if await _value(tab, "'modelContextTesting' in navigator"):
            return False
        await put_into_new_documents(tab, "debug/webmcp.js")
    return True


async def tools(tab: Tab, *, deadline: Deadline) -> list[PageTool]:
    """The current tools."""
    async with deadline.stage("listing the tools of the page"):
        told = await _value(tab, "navigator.modelContextTesting?.listTools() ?? null")
    if not isinstance(told, list):
        raise PageError("WebMCP is not enabled on this page", hint="run `webmcp list` first")
    return [
        PageTool(
            name=str(offered.get("name", ""))[:200],
            description=str(offered.get("description", ""))[:LONGEST_TEXT],
            schema=_schema(offered.get("inputSchema")),
        )
        for offered in told[:MOST_TOOLS]
    ]


async def require(tab: Tab, name: str, *, deadline: Deadline) -> None:
    """Raise for a tool that the page does not have."""
    known = [offered.name for offered in await tools(tab, deadline=deadline)]
    if name not in known:
        listed = ", ".join(known[:20]) or "none"
        raise BadRequest(
            f"the page has no tool {name!r:.100}; available: {listed}", hint="`webmcp list` lists them"
        )


async def invoke(tab: Tab, name: str, parameters: Mapping[str, Any], *, deadline: Deadline) -> ToolAnswer:
    """Run a tool of the page."""
    words = f"{json.dumps(name)}, {json.dumps(json.dumps(dict(parameters)))}"
    async with deadline.stage(f"running the page's tool {name}"):
        answer = await _value(tab, f"navigator.modelContextTesting.executeTool({words})")
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    if len(text) > LARGEST_ANSWER:
        raise ResultTooLarge(f"the tool result is too large: {len(text)} characters")
    return ToolAnswer(tool=name, text=text)


def _schema(told: Any) -> Any:
    if not isinstance(told, str):
        return told
    try:
        return json.loads(told)
    except ValueError:
        return told[:LONGEST_TEXT]


async def _value(tab: Tab, script: str) -> Any:
    return await own_value(tab, script, failed="the page's tools failed", gesture=True)

"""WebMCP: tools that a page offers to agents. What they say of themselves and what they answer is the page's own word."""

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
    """What a tool of the page answered."""

    tool: str
    text: str


async def prepare(tab: Tab, *, deadline: Deadline) -> bool:
    """Have what pages register their tools with; whether the page has to be loaded again for that."""
    async with deadline.stage("looking for tools of the page"):
        if await _value(tab, "'modelContextTesting' in navigator"):
            return False
        await put_into_new_documents(tab, "debug/webmcp.js")
    return True


async def tools(tab: Tab, *, deadline: Deadline) -> list[PageTool]:
    """The tools that are there now."""
    async with deadline.stage("asking for tools of the page"):
        told = await _value(tab, "navigator.modelContextTesting?.listTools() ?? null")
    if not isinstance(told, list):
        raise PageError("this page cannot be asked for tools", hint="`webmcp list` prepares it")
    return [
        PageTool(
            name=str(one.get("name", ""))[:200],
            description=str(one.get("description", ""))[:LONGEST_TEXT],
            schema=_schema(one.get("inputSchema")),
        )
        for one in told[:MOST_TOOLS]
    ]


async def require(tab: Tab, name: str, *, deadline: Deadline) -> None:
    """Refuse a tool that the page does not have."""
    known = [one.name for one in await tools(tab, deadline=deadline)]
    if name not in known:
        listed = ", ".join(known[:20]) or "none"
        raise BadRequest(
            f"the page has no tool {name!r:.100}; there are: {listed}", hint="`webmcp list` lists them"
        )


async def invoke(tab: Tab, name: str, parameters: Mapping[str, Any], *, deadline: Deadline) -> ToolAnswer:
    """Run one that the page has."""
    words = f"{json.dumps(name)}, {json.dumps(json.dumps(dict(parameters)))}"
    async with deadline.stage(f"running the page's tool {name}"):
        answer = await _value(tab, f"navigator.modelContextTesting.executeTool({words})")
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    if len(text) > LARGEST_ANSWER:
        raise ResultTooLarge(f"the tool answered with {len(text)} characters")
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

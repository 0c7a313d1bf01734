"""What the scripted model does, on which page, and what of it must reach the model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.clients.conversation import ModelReply, ModelRequest, ToolCall, ToolOutput, readable_text

if TYPE_CHECKING:
    from collections.abc import Callable

TITLE = "Harbour office"
BACKGROUND = (0, 96, 160)
"""The colour of the page, by which its screenshot is known."""
BODY = """
<main><h1>Boat moorings</h1><p role=status id=berth>Berth 7 is free</p><button id=reserve>Reserve berth 7</button></main>
<script>reserve.onclick = () => { berth.textContent = 'Berth 7 is ' + 'reserved'; reserve.textContent = 'Cancel berth 7' }</script>
"""
STYLE = f"<style>html {{ background: rgb{BACKGROUND}; color: white }}</style>"
PROMPT = "Open the harbour office and reserve berth 7."
FINAL_TEXT = "The scripted conversation is complete."
HEADING = re.compile(r'heading "Boat moorings" @e\d+')
CONTROL = re.compile(r'button "Reserve berth 7" (@e\d+)')
CHANGE = re.compile(r'"Berth 7 is reserved"')
ERROR = re.compile(r"error: .*No such button.*\[target_not_found\]")
NEXT_ACTION = re.compile(r"^next: \S.* \[[a-z0-9-]+\]", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One tool call of the script; its arguments may depend on what the earlier ones returned."""

    name: str
    tool: str
    arguments: Callable[[str, tuple[ToolOutput, ...]], dict[str, Any]]


def _click_the_button(_url: str, outputs: tuple[ToolOutput, ...]) -> dict[str, Any]:
    """Click the ref that the model was shown; one that was shown none can only guess by text."""
    found = CONTROL.search(readable_text(outputs[-1].text))
    return {"kind": "click", "target": found.group(1) if found else "text=Reserve berth 7"}


STEPS = (
    Step("open", "open", lambda url, _outputs: {"url": url}),
    Step("snapshot", "snapshot", lambda _url, _outputs: {}),
    Step("click", "act", _click_the_button),
    Step("failure", "act", lambda _url, _outputs: {"kind": "click", "target": "text=No such button"}),
    Step("screenshot", "screenshot", lambda _url, _outputs: {}),
)


def reply_to(request: ModelRequest, *, url: str) -> ModelReply:
    """The next step, by how many calls were answered; side requests (titles, summaries) do not offer our tools."""
    done = len(request.outputs)
    if done >= len(STEPS) or request.tool("snapshot") is None:
        return ModelReply(text=FINAL_TEXT)
    step = STEPS[done]
    tool = request.tool(step.tool)
    if tool is None:
        return ModelReply(text=f"there is no tool {step.tool}")
    arguments = step.arguments(url, request.outputs)
    return ModelReply(call=ToolCall(f"call_{done}_{step.name}", tool, arguments))

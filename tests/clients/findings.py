"""What of Boathook's answers reached the model, read from the requests that the model got."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PIL import Image as PillowImage

from tests.clients import scenario
from tests.clients.conversation import readable_text
from tests.clients.report import COLUMNS

if TYPE_CHECKING:
    import re
    from pathlib import Path

    from tests.clients.conversation import Image, ToolOutput
    from tests.clients.model_server import Recorded


COLOUR_TOLERANCE = 12
"""Some agents send the image on as JPEG."""


@dataclass(frozen=True)
class Findings:
    """One row: which parts arrived, and what the model was sent where one did not."""

    arrived: dict[str, bool]
    evidence: dict[str, str]
    image_in_mcp: bool


def findings(recorded: list[Recorded], *, mcp_log: Path) -> Findings:
    """Look at the latest request of the conversation, which holds all tool results."""
    outputs = max((request.request.outputs for request in recorded), key=len, default=())
    by_step = {step.name: output for step, output in zip(scenario.STEPS, outputs, strict=False)}
    arrived = {
        "tree": _has(by_step, "snapshot", scenario.HEADING, scenario.CONTROL),
        "refs": _clicked_a_shown_ref(recorded),
        "changes": _has(by_step, "click", scenario.CHANGE),
        "image": any(shows_the_page(image) for image in _images(by_step, "screenshot")),
        "error": _has(by_step, "failure", scenario.ERROR),
        "next": _has(by_step, "failure", scenario.NEXT_ACTION),
    }
    steps = dict(
        zip(COLUMNS, ("snapshot", "snapshot", "click", "screenshot", "failure", "failure"), strict=True)
    )
    evidence = {
        column: by_step[step].text[:400] if step in by_step else "nothing, since it did not call the tool"
        for column, step in steps.items()
        if not arrived[column]
    }
    return Findings(arrived, evidence, image_in_mcp=_mcp_had_image(mcp_log))


def shows_the_page(image: Image) -> bool:
    """Whether this is the screenshot: its corner has the colour of the page."""
    with PillowImage.open(io.BytesIO(image.data)) as opened:
        corner = opened.convert("RGB").getpixel((opened.width - 5, opened.height - 5))
    assert isinstance(corner, tuple)
    return all(
        abs(seen - meant) < COLOUR_TOLERANCE for seen, meant in zip(corner, scenario.BACKGROUND, strict=True)
    )


def _has(by_step: dict[str, ToolOutput], step: str, *patterns: re.Pattern[str]) -> bool:
    text = readable_text(by_step[step].text) if step in by_step else ""
    return all(pattern.search(text) for pattern in patterns)


def _images(by_step: dict[str, ToolOutput], step: str) -> tuple[Image, ...]:
    return by_step[step].images if step in by_step else ()


def _clicked_a_shown_ref(recorded: list[Recorded]) -> bool:
    """Whether the model could click by a ref from the snapshot that it was sent, and that click worked."""
    for request in recorded:
        if len(request.request.outputs) == 3:  # the answer to the click has just arrived
            shown = scenario.CONTROL.search(readable_text(request.request.outputs[1].text))
            answer = readable_text(request.request.outputs[2].text)
            return shown is not None and shown.group(1) in answer
    return False


def _mcp_had_image(log: Path) -> bool:
    """Whether Boathook itself sent an image to the client."""
    lines = log.read_text().splitlines(keepends=True) if log.exists() else []
    # The last line of a client that was ended may be cut off.
    answers: list[dict[str, Any]] = [json.loads(line) for line in lines if line.endswith("\n")]
    return any(
        part["type"] == "image"
        for answer in answers
        for part in (answer.get("result") or {}).get("content", ())
    )

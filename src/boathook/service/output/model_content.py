"""What a model is sent besides the text of a value: images within a size limit, the files that were saved, a new session."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

from boathook.commands.results import ScreenshotResult, ScriptResult
from boathook.commands.views.view_results import SavedScreenshot
from boathook.engine.capture.images.shrink import shrink
from boathook.presentation.quoting import on_one_line
from boathook.registry.context import Step
from boathook.service.records.artifacts import State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.service.output.outcome import Outcome

MOST_IMAGES = 8
IMAGE_BYTES = 150 * 1_024
"""A larger image is sent as a smaller copy."""
DISPLAYED_PIXELS = 20_000_000
"""Of an image that a script has made."""
_STARTED = ("created", "replaced")


def images_of(value: Any) -> list[dict[str, str]]:
    """The images that belong to a value, each small enough to be sent."""
    return list(_images(value))[:MOST_IMAGES]


def _images(value: Any) -> Iterator[dict[str, str]]:
    if isinstance(value, SavedScreenshot):
        value = value.shot
    if isinstance(value, ScreenshotResult) and value.changed:
        yield _small_image(value.picture.data, f"image/{value.picture.format}")
    elif isinstance(value, ScriptResult):
        for part in value.shown:
            if isinstance(part, dict) and part.get("type") == "image":
                yield from _displayed_images(part)
    elif isinstance(value, list) and value and isinstance(value[0], Step):
        for step in value:
            yield from step.images


def _displayed_images(part: dict[str, Any]) -> Iterator[dict[str, str]]:
    """An image that a script displayed; what is not an image stays in the text alone."""
    try:
        data = base64.b64decode(str(part.get("data", "")))
        yield _small_image(data, str(part.get("mimeType")), most_pixels=DISPLAYED_PIXELS)
    except (binascii.Error, OSError, ValueError):
        return


def _small_image(data: bytes, media_type: str, *, most_pixels: int | None = None) -> dict[str, str]:
    if len(data) > IMAGE_BYTES:
        data, media_type = shrink(data, most_bytes=IMAGE_BYTES, most_pixels=most_pixels)
    return {"media_type": media_type, "base64": base64.b64encode(data).decode()}


def session_line(outcome: Outcome) -> str:
    """The name of a session that the call has started: later calls may pass it."""
    started = outcome.session_change in _STARTED
    return f"session: {outcome.shown_session or outcome.session}\n" if started else ""


def file_lines(outcome: Outcome, text: str) -> str:
    """The files that were saved, with their size, unless the text of the value contains that."""
    return "".join(
        f"saved {on_one_line(str(artifact.path))} ({artifact.size} bytes)\n"
        for artifact in outcome.artifacts
        if artifact.state is State.SAVED and not _is_listed(str(artifact.path), text)
    )


def _is_listed(path: str, text: str) -> bool:
    """Whether a line names the file together with a size."""
    return any(
        path in line and ("bytes" in line or "KiB" in line or "KB" in line) for line in text.splitlines()
    )

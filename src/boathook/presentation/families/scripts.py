"""Results of scripts as text and data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from boathook.commands.results import ScriptResult
from boathook.presentation.rendering import as_data, as_text

if TYPE_CHECKING:
    from collections.abc import Mapping


@as_text.register
def _render_script_result(value: ScriptResult) -> str:
    parts = [*value.shown, *([value.value] if value.gives else [])]
    lines = [text for part in parts if (text := render_displayed(part))]
    notes = [f"note: {note}" for note in value.notes]
    logged = ["log:", *(f"  {line}" for line in value.log)] if value.log else []
    return "\n".join([*lines, *notes, *logged]) or f'Ran code on tab "{value.tab}"'


def render_displayed(part: Any) -> str:
    """A value displayed by a script."""
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("type") == "image":
        where = f" {part['path']}" if part.get("path") else ""
        return f"[{part.get('mimeType', 'image')}, {_picture_bytes(part)} bytes]{where}"
    return json.dumps(part, ensure_ascii=False, indent=2)


def _picture_bytes(part: Mapping[str, Any]) -> int:
    return len(str(part.get("data", ""))) * 3 // 4


@as_data.register
def _script_result_data(value: ScriptResult) -> dict[str, Any]:
    return {
        "tab": value.tab,
        "displayed": [_displayed_data(part) for part in value.shown],
        "value": value.value,
        "log": value.log,
        "seconds": value.seconds,
        **({"screenshots": value.screenshots} if value.screenshots else {}),
        **({**value.where, "result": _text_outputs(value)} if value.where else {}),
    }


def _text_outputs(value: ScriptResult) -> str:
    """What the script has displayed and returned, without images."""
    parts = [*value.shown, *([value.value] if value.gives else [])]
    images = [isinstance(part, dict) and part.get("type") == "image" for part in parts]
    return "\n".join(
        render_displayed(part) for part, is_image in zip(parts, images, strict=True) if not is_image
    )


def _displayed_data(part: Any) -> Any:
    """A displayed value; an image without its bytes, which are in the saved file."""
    if not isinstance(part, dict) or part.get("type") != "image":
        return part
    kept = {name: part[name] for name in ("type", "mimeType", "path") if part.get(name) is not None}
    return {**kept, "bytes": _picture_bytes(part)}

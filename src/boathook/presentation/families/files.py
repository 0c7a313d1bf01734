"""Files as text: uploads, downloads, artifacts."""

from __future__ import annotations

from boathook.engine.actions.uploads import Uploaded
from boathook.engine.files.downloads import Download
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import own_lines
from boathook.registry.context import KeptFile


@own_lines
def _render_uploaded(value: Uploaded) -> str:
    files = ", ".join(
        f"{quote(name)} ({size} bytes)" for name, size in zip(value.names, value.sizes, strict=True)
    )
    return f"the page has {files}{f'; {value.note}' if value.note else ''}"


@own_lines
def _render_download(value: Download) -> str:
    return f"saved {value.path} ({value.size} bytes)"


@own_lines
def _render_kept_file(value: KeptFile) -> str:
    size = f" ({value.size} bytes)" if value.size is not None else ""
    reason = f": {value.reason}" if value.reason else ""
    return f"{value.state} {value.path}{size}{reason}"

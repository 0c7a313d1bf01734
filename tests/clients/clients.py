"""All clients by name."""

from __future__ import annotations

from dataclasses import replace

from tests.clients.libraries import LIBRARIES
from tests.clients.programs import PROGRAMS

STRUCTURED_INSTEAD_OF_TEXT = {
    "Claude Code": "",
    "Codex": "Codex sends the structured content and leaves out the image; the text names the file",
    "pydantic-ai": "",
}
"""Clients that send the model the structured content alone when a result has any; and why not the image."""
_DEFAULT = {client.name: client for client in (*PROGRAMS, *LIBRARIES)}
_STRUCTURED = [
    replace(
        _DEFAULT[name], name=f"{name} with --structured", server_options=("--structured",), no_image=no_image
    )
    for name, no_image in STRUCTURED_INSTEAD_OF_TEXT.items()
]
CLIENTS = {**_DEFAULT, **{client.name: client for client in _STRUCTURED}}

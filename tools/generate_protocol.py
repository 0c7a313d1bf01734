"""Writes extension/protocol.js from the table in relay/extension/protocol.py; `--check` fails if it is not current."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.relay.extension.protocol import VERSION, Event, ExtensionRequest, Handshake

if TYPE_CHECKING:
    from enum import StrEnum

TARGET = Path(__file__).parent.parent / "extension/protocol.js"
HEAD = (
    "// The protocol with the relay. Generated from relay/extension/protocol.py by `make gen`; do not edit.\n"
)


def protocol_js() -> str:
    """The module as it should be."""
    tables = "".join(_table(kind) for kind in (ExtensionRequest, Event, Handshake))
    return f"{HEAD}\nexport const VERSION = {VERSION};\n{tables}"


def _table(kind: type[StrEnum]) -> str:
    rows = "".join(f'  {member.name}: "{member.value}",\n' for member in kind)
    return f"\nexport const {kind.__name__.removeprefix('Extension')} = Object.freeze({{\n{rows}}});\n"


def main() -> int:
    """Write or check."""
    wanted = protocol_js()
    if "--check" not in sys.argv:
        TARGET.write_text(wanted, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == wanted:
        return 0
    print("extension/protocol.js is not current: run `make gen`")
    return 1


if __name__ == "__main__":
    sys.exit(main())

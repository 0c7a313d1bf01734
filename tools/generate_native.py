"""Writes native/facts.h from the Python client and the protocol; `--check` fails if it is not current."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.client import blocking_client
from boathook.surfaces.cli import from_native
from boathook.surfaces.cli import main as client
from boathook.wire import framing, messages, socket_address

if TYPE_CHECKING:
    from collections.abc import Iterable

TARGET = Path(__file__).parent.parent / "native/facts.h"
HEAD = "/* What the native client shares with the Python one. Generated from that by `make gen`; do not edit. */\n"
SCRIPT = "boathook-python"
LONGEST_PATH_BYTES = 4096


def facts() -> dict[str, str]:
    """Each name with its value in C."""
    numbers = {
        "LIMIT_BYTES": framing.LIMIT_BYTES,
        "MOST_STDIN_BYTES": client.MOST_STDIN_BYTES,
        "PATH_BYTES": LONGEST_PATH_BYTES,
        "LONGEST_SOCKET_PATH": socket_address.LONGEST_PATH_BYTES,
        "DEFAULT_COLUMNS": client.DEFAULT_COLUMNS,
        "QUIET_SECONDS": client.QUIET_SECONDS,
        "SHOWN_WORD": client.SHOWN_WORD,
        "HELLO_SECONDS": int(blocking_client.HELLO_SECONDS),
        "SILENCE_SECONDS": int(blocking_client.SILENCE_SECONDS),
        "CANCEL_SECONDS": int(blocking_client.CANCEL_SECONDS),
    }
    texts = {
        "PROTOCOL": str(messages.PROTOCOL),
        "CALL_ID": client.CALL_ID,
        "SOCKET_NAME": socket_address.SOCKET_NAME,
        "COMPAT": client.COMPAT,
        "AGENT_BROWSER": client.AGENT_BROWSER,
        "SCRIPT": SCRIPT,
        **{name: getattr(from_native, name) for name in _STATES},
    }
    lists = {
        "FOR_PYTHON": client.FOR_PYTHON,
        "PREFIXES": client.PREFIXES,
        "TERMINAL_NAMES": client.TERMINAL_NAMES,
    }
    return (
        {name: str(value) for name, value in numbers.items()}
        | {name: json.dumps(value) for name, value in texts.items()}
        | {name: _list(values) for name, values in lists.items()}
    )


_STATES = (
    "FOR_NATIVE", "RUN", "SILENT", "SILENCE", "LOST", "NOT_JSON", "NO_TYPE", "TOO_LARGE", "NOT_WRITTEN",
)  # fmt: skip


def _list(words: Iterable[str]) -> str:
    return ", ".join(json.dumps(word) for word in words)


def header() -> str:
    """The file as it should be."""
    lines = "".join(f"#define BH_{name} {value}\n" for name, value in facts().items())
    return f"{HEAD}#ifndef BOATHOOK_FACTS_H\n#define BOATHOOK_FACTS_H\n\n{lines}\n#endif\n"


def main() -> int:
    """Write or check."""
    wanted = header()
    if "--check" not in sys.argv:
        TARGET.write_text(wanted, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == wanted:
        return 0
    print("native/facts.h is not current: run `make gen`")
    return 1


if __name__ == "__main__":
    sys.exit(main())

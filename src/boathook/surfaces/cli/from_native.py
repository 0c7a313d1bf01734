"""The Python client behind the native one (`native/`): command lines that it leaves to us, and failures that it met.

The native client runs the script `boathook-python` beside it with FOR_NATIVE, its own name and what happened before
the command line.
"""
# ruff: noqa: PLC0415

from __future__ import annotations

import os
import sys

from boathook.surfaces.cli import main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from boathook.wire.failures import WireFailure

FOR_NATIVE = "--for-native"
RUN = "run"
"""Nothing was sent, or the daemon refused it: run the command line from the beginning."""
SILENT, SILENCE, LOST, NOT_JSON, NO_TYPE = "silent", "silence", "lost", "not-json", "no-type"
TOO_LARGE = "too-large:"
"""Then the announced length."""
NOT_WRITTEN = "not-written:"
"""Then the number of the system's error."""
_HEADER_BYTES = 4
_OWN_WORDS = 3


def run() -> NoReturn:
    """The entry point of `boathook-python`."""
    if sys.argv[1:2] != [FOR_NATIVE] or len(sys.argv) <= _OWN_WORDS:
        main.run()
    called_as, state, words = sys.argv[2], sys.argv[3], sys.argv[4:]
    sys.argv = [called_as, *words]
    if state == RUN:
        main.run()
    os._exit(report(state, words))


def report(state: str, words: list[str]) -> int:
    """Print a failure that the native client met, as the Python client does; returns the exit status."""
    if state.startswith(NOT_WRITTEN):
        return main.report_unwritten(os.strerror(int(state.removeprefix(NOT_WRITTEN))))
    return main.report_failure(_failure(state), as_json=main.wants_json(words))


def _failure(state: str) -> WireFailure:
    from boathook.client import blocking_client

    failures = {
        SILENT: blocking_client.silent,
        SILENCE: blocking_client.unresponsive,
        LOST: blocking_client.lost,
    }
    if state in failures:
        return failures[state]()
    return _bad_frame(state)


def _bad_frame(state: str) -> WireFailure:
    """The error that our own decoder has for such a frame."""
    from boathook.wire.failures import BadFrame
    from boathook.wire.framing import body_length, unpack

    try:
        if state.startswith(TOO_LARGE):
            body_length(int(state.removeprefix(TOO_LARGE)).to_bytes(_HEADER_BYTES, "big"))
        unpack({NOT_JSON: b"{", NO_TYPE: b"{}"}.get(state, b"{}"))
    except BadFrame as error:
        return error
    raise AssertionError("unreachable: none of these is a message")

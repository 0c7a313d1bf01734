"""`boathook mcp`: parse the options, then serve until the client disconnects."""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from boathook.errors import BadSetting, BoathookError
from boathook.hints import COMMAND_LINE, render
from boathook.surfaces.mcp.start.fast_import import light_sdk
from boathook.surfaces.mcp.start.mcp_options import USAGE, read_options
from boathook.wire.failures import WireFailure

if TYPE_CHECKING:
    from types import ModuleType

INTERRUPTED_EXIT = 130
SERVING = "boathook.surfaces.mcp.start.server"


def main(argv: list[str]) -> int:
    """Serve; returns the exit status."""
    try:
        options = read_options(argv)
        if options.help:
            sys.stdout.write(USAGE)
            sys.stdout.flush()
            return 0
        asyncio.run(_load_server(http=options.http).serve(options))
    except (BoathookError, WireFailure) as error:
        return _report_failure(error)
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT
    return 0


def _report_failure(error: BoathookError | WireFailure) -> int:
    hint = render(error.marked_hint, COMMAND_LINE)
    sys.stderr.write(f"error: {error.message}{f' ({hint})' if hint else ''} [{error.code}]\n")
    sys.stderr.flush()
    return error.exit_status


def _load_server(*, http: bool) -> ModuleType:
    """The serving module with the SDK; imported in full if the fast import does not fit the SDK's version."""
    before = set(sys.modules)
    try:
        with light_sdk(http=http):
            return import_module(SERVING)
    except Exception:  # noqa: BLE001 (whatever it is, loading it whole tells whether it is ours)
        for name in set(sys.modules) - before:
            del sys.modules[name]
    try:
        return import_module(SERVING)
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"the installation is incomplete: the package {error.name} is missing",
            hint="pip install --force-reinstall boathook",
        ) from error

"""`python -m boathook.service.daemon --folder F`: what `wire.start` runs; people use `boathook daemon start`."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from boathook._version import __version__
from boathook.service.daemon import lifecycle
from boathook.service.daemon.daemon_server import IDLE_SECONDS, Server
from boathook.wire.failures import WireFailure

if TYPE_CHECKING:
    from boathook.service.daemon.host_protocol import HostProtocol
    from boathook.service.daemon.lifecycle import DaemonDirectory

HOST = "boathook.service.host:Host"
EARLY_BROWSER = "boathook.engine.launch.early_browser"
"""By name, as the host: what the daemon serves is not its business."""


def main(argv: list[str]) -> int:
    """Become the daemon of a folder and serve it until the end."""
    options = _options(argv)
    if options.ready is not None:
        lifecycle.leave_starter()
    lifecycle.shed_inheritance(keep=options.ready)
    try:
        place = lifecycle.claim(options.folder)
        if place is None:
            lifecycle.signal_ready(options.ready)
            return 0
        log = lifecycle.open_log(options.folder)
        log.info("daemon.started version=%s", __version__)
        asyncio.run(_serve(options, place))
    except WireFailure as failure:
        sys.stderr.write(f"{failure}\n")
        return failure.exit_status
    return 0


def _options(argv: list[str]) -> argparse.Namespace:
    reading = argparse.ArgumentParser(prog="boathook.service.daemon")
    reading.add_argument("--folder", type=Path, required=True, help="the private runtime directory")
    reading.add_argument("--ready", type=int, help="the file descriptor to write to when the socket is ready")
    reading.add_argument(
        "--idle-seconds", type=float, default=IDLE_SECONDS, help="exit after this many seconds without use"
    )
    reading.add_argument(
        "--early-browser", action="store_true", help="start a browser while the host is loaded"
    )
    reading.add_argument("--host", default=HOST, help="the module:Class to serve instead; for tests only")
    return reading.parse_args(argv)


async def _serve(options: argparse.Namespace, place: DaemonDirectory) -> None:
    descriptors = lifecycle.raise_descriptor_limit()
    if options.early_browser:
        await import_module(EARLY_BROWSER).start()
    host = _host(options.host)
    server = Server(host, place, idle_seconds=options.idle_seconds, descriptors=descriptors)
    await server.run(ready=lambda: lifecycle.signal_ready(options.ready))
    logging.getLogger("boathook").info("daemon.ended")
    logging.shutdown()
    # At once, whatever thread or task still hangs: browsers end with our pipes, locks with our descriptors, and a client
    # that waits for our end sees its connection close at this moment and not before.
    os._exit(0)


def _host(name: str) -> HostProtocol:
    """Imported late: a process that finds another running daemon never loads the engine."""
    module, _, attribute = name.partition(":")
    gc.disable()  # many objects that all stay
    try:
        loaded = import_module(module)
    finally:
        gc.freeze()  # what was loaded is not looked through again and again
        gc.enable()
    host: HostProtocol = getattr(loaded, attribute)()
    return host


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

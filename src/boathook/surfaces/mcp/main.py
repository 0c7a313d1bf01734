"""`boathook mcp`: read the options, then serve until the client has gone."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

from boathook.errors import BadSetting, BoathookError
from boathook.surfaces.mcp.options import USAGE, read_options
from boathook.wire.failures import WireFailure

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from boathook.surfaces.mcp.options import Options

INTERRUPTED_EXIT = 130


def main(argv: list[str]) -> int:
    """Serve; the exit status."""
    try:
        options = read_options(argv)
        if options.help:
            sys.stdout.write(USAGE)
            sys.stdout.flush()
            return 0
        asyncio.run(_serve(options))
    except (BoathookError, WireFailure) as error:
        return _failed(error)
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT
    return 0


def _failed(error: BoathookError | WireFailure) -> int:
    sys.stderr.write(f"error: {error} [{error.code}]\n")
    sys.stderr.flush()
    return error.exit_status


async def _serve(options: Options) -> None:
    try:
        from boathook.service.configuration import merged  # noqa: PLC0415
        from boathook.service.daemon.link import DaemonLink  # noqa: PLC0415
        from boathook.surfaces.mcp.allowed_secrets import variables_of_secrets  # noqa: PLC0415
        from boathook.surfaces.mcp.calling import Caller  # noqa: PLC0415 (help needs none of it)
        from boathook.surfaces.mcp.door import Door  # noqa: PLC0415
        from boathook.surfaces.mcp.instructions import INSTRUCTIONS  # noqa: PLC0415
        from boathook.surfaces.mcp.server import server_of  # noqa: PLC0415
        from boathook.surfaces.mcp.toolbox import read_toolbox  # noqa: PLC0415
    except ImportError as error:
        raise BadSetting(
            f"the MCP server needs a package that is not there: {error.name}",
            hint="pip install 'boathook[mcp]'",
        ) from error
    door = "mcp http" if options.http else "mcp stdio"
    allowed = merged(
        options.settings, environment=os.environ, folder=os.curdir, agent=options.agent or None, door=door
    )
    words = options.tools if allowed.get("enabled", True) else []
    toolbox = read_toolbox(words, scripts=bool(allowed.get("evaluate_enabled")))
    link = DaemonLink()
    caller = Caller(
        link,
        door=door,
        settings=options.settings,
        agent=options.agent,
        secret_names=variables_of_secrets(os.environ),
    )
    try:
        await _serve_on(server_of(Door(toolbox, caller), instructions=INSTRUCTIONS), options)
    finally:
        await link.close()


async def _serve_on(server: Server[object], options: Options) -> None:
    if not options.http:
        from boathook.surfaces.mcp.stdio import serve_stdio  # noqa: PLC0415 (one of the two is needed)

        await serve_stdio(server)
        return
    from boathook.surfaces.mcp.http import bound, guarded, serve_http  # noqa: PLC0415
    from boathook.surfaces.mcp.http_guard import PATH  # noqa: PLC0415
    from boathook.surfaces.mcp.http_token import http_token  # noqa: PLC0415
    from boathook.wire.address import daemon_folder  # noqa: PLC0415

    with bound(options.port) as listening:
        port = listening.getsockname()[1]
        token, where = http_token(daemon_folder(), port=port)
        app = guarded(server, port=port, token=token, origins=options.origins)
        said = f"serving http://127.0.0.1:{port}{PATH}; the token is {where}\n"
        os.write(2, said.encode())
        await serve_http(app, listening)

"""Serving: from options to a running server, over stdio or HTTP, until its client disconnects."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from boathook.client.async_client import DaemonClient
from boathook.service.input.configuration import merge_settings
from boathook.service.input.locked_policy import locked_policy
from boathook.service.surface import Surface
from boathook.surfaces.mcp.allowed_secrets import variables_of_secrets
from boathook.surfaces.mcp.daemon_caller import DaemonCaller
from boathook.surfaces.mcp.handlers import McpHandlers
from boathook.surfaces.mcp.instructions import instructions_for
from boathook.surfaces.mcp.start.sdk_server import server_of
from boathook.surfaces.mcp.start.stdio import serve_stdio
from boathook.surfaces.mcp.tool_catalog import read_tool_catalog

if TYPE_CHECKING:
    from mcp.server.lowlevel.server import Server

    from boathook.surfaces.mcp.start.mcp_options import McpOptions


async def serve(options: McpOptions) -> None:
    """Serve until the client disconnects or the process is terminated."""
    link = DaemonClient()
    try:
        handlers = _build_handlers(options, link)
        server = server_of(handlers, instructions=instructions_for(handlers.tool_catalog))
        await (_serve_http(server, options) if options.http else serve_stdio(server))
    finally:
        await link.close()


def _build_handlers(options: McpOptions, link: DaemonClient) -> McpHandlers:
    """The settings of this client; an unknown agent, or one without a browser, fails before serving starts."""
    name = Surface.MCP_HTTP if options.http else Surface.MCP_STDIO
    # Without the defaults of the surface: what the user has not said is another thing than what is forbidden.
    allowed = merge_settings(
        options.settings, environment=os.environ, folder=os.curdir, agent=options.agent or None
    )
    allowed = locked_policy(os.environ).tighten(allowed)
    words = options.tools if allowed.get("enabled", True) else []
    scripts, programs = allowed.get("evaluate_enabled"), allowed.get("scripts_enabled")
    tool_catalog = read_tool_catalog(words, scripts=scripts, programs=programs)
    caller = DaemonCaller(
        link,
        surface=name,
        settings=options.settings,
        tools=[tool.key for tool in tool_catalog],
        agent=options.agent,
        secret_names=variables_of_secrets(os.environ),
    )
    return McpHandlers(tool_catalog, caller, structured=bool(allowed.get("structured")))


async def _serve_http(server: Server[Any], options: McpOptions) -> None:
    from boathook.local_server.token_file import http_token, take_back  # noqa: PLC0415
    from boathook.surfaces.mcp.http.http_guard import PATH  # noqa: PLC0415
    from boathook.surfaces.mcp.http.http_server import bind_socket, guard_app, serve_http  # noqa: PLC0415 (HTTP only)
    from boathook.wire.socket_address import daemon_folder  # noqa: PLC0415

    with bind_socket(options.port, options.host) as listening:
        port = listening.getsockname()[1]
        token, where = http_token(daemon_folder(), port=port)
        try:
            app = guard_app(server, port=port, token=token, origins=options.origins, hosts=options.hosts)
            said = f"serving http://{options.host}:{port}{PATH}; the token is {where}\n".encode()
            await serve_http(app, listening, ready=lambda: _announce(said))
        finally:
            take_back(daemon_folder(), port=port, token=token)


def _announce(said: bytes) -> None:
    os.write(2, said)

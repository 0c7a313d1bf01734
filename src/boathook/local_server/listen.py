"""Listening: on loopback, or on the IP address that the user has named."""

from __future__ import annotations

import socket

from boathook.local_server.guard import HOST


def listen_on_loopback(port: int) -> socket.socket:
    """A socket that listens on this machine only; port 0 means any free port. OSError if the port is in use."""
    return listen_on(HOST, port)


def listen_on(host: str, port: int) -> socket.socket:
    """The same on an IP address of this machine, which may be reachable from others."""
    # asyncio sends small messages without delay only on sockets whose protocol is TCP: 40 ms each, otherwise.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening

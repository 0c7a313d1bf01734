"""A name server on loopback, and a browser that uses it: it starts in a mount namespace with a separate resolv.conf."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest

from boathook.engine.launch.find_chrome import find_browser

ADDRESS = f"127.77.{os.getpid() >> 8 & 255}.{os.getpid() & 255 or 1}"
"""One for each process, since the port cannot be chosen."""
PORT = 53
_LENGTH_BITS = 0x3F


def _possible():
    """It takes root, for port 53 and for the namespace, and a kernel that lets root have one."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0


needs_own_names = pytest.mark.skipif(
    not _possible(), reason="a name server for one browser takes root and a namespace"
)


class NameServer(asyncio.DatagramProtocol):
    """Knows no name, and remembers which ones it was asked for."""

    def __init__(self, browser):
        self.browser = browser
        self.asked: list[str] = []
        self._transport = None

    def connection_made(self, transport):
        self._transport = transport

    def datagram_received(self, data, address):
        labels, place = [], 12
        while length := data[place] & _LENGTH_BITS:
            labels.append(data[place + 1 : place + 1 + length].decode("ascii", "replace"))
            place += 1 + length
        self.asked.append(".".join(labels).lower())
        question = data[12 : place + 5]
        no_such_name = data[:2] + b"\x81\x83" + b"\0\1\0\0\0\0\0\0"
        self._transport.sendto(no_such_name + question, address)


@asynccontextmanager
async def name_server(folder):
    """The server, with the path of a browser that uses it."""
    names = folder / "resolv.conf"
    names.write_text(f"nameserver {ADDRESS}\noptions timeout:1 attempts:1\n")
    wrapper = folder / "chromium-with-own-names"
    inside = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
    wrapper.write_text(
        f"#!/bin/sh\nexec unshare -m sh -c '{inside}' '{names}' '{find_browser().path}' \"$@\"\n"
    )
    wrapper.chmod(0o755)
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(lambda: NameServer(wrapper), (ADDRESS, PORT))
    try:
        yield server
    finally:
        transport.close()

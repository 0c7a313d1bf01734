"""Search domains: what the system's resolver appends to names without a dot."""

from __future__ import annotations

import os
import socket
from pathlib import Path

RESOLVER_FILE = Path("/etc/resolv.conf")
MOST_BYTES = 64 * 1024


def search_domains() -> tuple[str, ...]:
    """The suffixes, in lower case; the last line of the resolver's configuration counts, and LOCALDOMAIN overrides it."""
    if given := os.environ.get("LOCALDOMAIN"):
        return _plain(given.split())
    try:
        lines = RESOLVER_FILE.read_bytes()[:MOST_BYTES].decode("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    found = [line.split()[1:] for line in lines if line.split()[:1] in (["search"], ["domain"])]
    # Without such a line, it is the domain of this machine's own name.
    return _plain(found[-1] if found else [socket.gethostname().partition(".")[2]])


def _plain(suffixes: list[str]) -> tuple[str, ...]:
    stripped = (suffix.strip(".").lower() for suffix in suffixes)
    return tuple(dict.fromkeys(suffix for suffix in stripped if suffix))

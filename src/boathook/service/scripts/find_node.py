"""Node, for scripts in JavaScript: its location, and its command line with the permission model enabled."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

from boathook.errors import Unsupported

WORKER = Path(__file__).parents[2] / "sandbox" / "worker.js"
PARTS = tuple(WORKER.with_name(name) for name in ("agent_helpers.js", "playwright_client.js"))
"""Modules that the worker loads."""
HEAP_MIB = 256
LEAST_MAJOR = 20
VERSION_SECONDS = 5.0
PLAIN_FLAG = (22, 13)
"""From this version on the permission model is stable."""
_WITHOUT_NODE = "install Node 20 or newer, or use Python|, or `--js-page` to run it in the page"


async def node_words(scratch: str, *, jail: bool, package: str = "") -> list[str]:
    """The command line of a worker, which may also read the folder of a package; Unsupported says what is missing."""
    found = shutil.which("node")
    if found is None:
        raise Unsupported(
            "JavaScript outside the page requires Node, which is not on PATH", hint=_WITHOUT_NODE
        )
    version = await _version(found)
    if version[0] < LEAST_MAJOR:
        raise Unsupported(f"Node {version[0]}.{version[1]} is too old", hint=_WITHOUT_NODE)
    words = [_itself(found), "--no-warnings", f"--max-old-space-size={HEAP_MIB}"]
    if jail:
        flag = "--permission" if version >= PLAIN_FLAG else "--experimental-permission"
        words += [
            flag,
            *(f"--allow-fs-read={path}" for path in (WORKER, *PARTS)),
            *([f"--allow-fs-read={package}/*"] if package else []),
            f"--allow-fs-read={scratch}/*",
            f"--allow-fs-write={scratch}/*",
        ]
    return [*words, str(WORKER)]


def node_readable(package: str = "") -> list[str]:
    """What Node reads besides the system's libraries at startup."""
    own = [str(path) for path in (WORKER, *PARTS)]
    return [
        *own,
        *([package] if package else []),
        "/etc/ssl/openssl.cnf",
        "/usr/share/zoneinfo",
        "/dev/null",
        "/dev/urandom",
    ]


def node_programs(node: str) -> list[str]:
    """What must be executable for Node to start: itself, and its loader."""
    return [node, "/lib", "/lib64", "/usr/lib"]


def _itself(node: str) -> str:
    return str(Path(node).resolve())


async def _version(node: str) -> tuple[int, int]:
    process = await asyncio.create_subprocess_exec(
        node, "--version", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(VERSION_SECONDS):
            said, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return 0, 0
    found = re.match(rb"v(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)

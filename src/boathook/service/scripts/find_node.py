"""Node, for scripts in JavaScript: its location, and its command line with the permission model enabled."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

from boathook.errors import Unsupported

WORKER = Path(__file__).parents[2] / "sandbox" / "worker.js"
HEAP_MIB = 256
LEAST_MAJOR = 20
VERSION_SECONDS = 5.0
PLAIN_FLAG = (22, 13)
"""From this version on the permission model is stable."""
_WITHOUT_NODE = "install Node 20 or newer, or use Python|, or `--js-page` to run it in the page"


async def node_words(scratch: str, *, jail: bool) -> list[str]:
    """The command line of a worker; Unsupported says what is missing."""
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
            f"--allow-fs-read={WORKER}",
            f"--allow-fs-read={scratch}/*",
            f"--allow-fs-write={scratch}/*",
        ]
    return [*words, str(WORKER)]


def node_readable() -> list[str]:
    """What Node reads besides the system's libraries at startup."""
    return [str(WORKER), "/etc/ssl/openssl.cnf", "/dev/null", "/dev/urandom"]


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

"""What a tool must offer to be measured.  Everything is async; a method a tool lacks stays Unsupported.

Elements are named by Target(role, name, css).  A tool with snapshot refs turns a Target into its own ref with
`resolve` (from the last snapshot); a tool without refs uses the css selector (its class sets REFS = False).
`last_ms`: a driver that talks to a bridge process puts the time measured inside the bridge here, so that the
bridge's own pipe is not charged to the tool.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

try:
    import psutil
except ImportError:  # only memory figures need it
    psutil = None


class Unsupported(Exception):
    pass


@dataclass(frozen=True)
class Target:
    role: str
    name: str
    css: str


class Driver:
    name = "?"
    surface = "library"  # library | cli | mcp
    REFS = True  # snapshot gives refs
    SNAPSHOT = True  # has an agent snapshot
    SLOW = False  # seconds per call: left out of the items with many calls and long texts
    MULTI = False  # can run tabs/sessions concurrently
    snapshot_how = ""  # CDP route, for the report
    last_ms: float | None = None
    markdown_ok = False

    def check_installed(self) -> None:
        """Raise ImportError or SystemExit when the tool is not there."""

    async def start(self) -> None:
        raise NotImplementedError

    async def stop(self) -> None:
        raise NotImplementedError

    async def open(self, url: str) -> None:
        raise NotImplementedError

    async def title(self) -> str:
        raise NotImplementedError

    async def url(self) -> str:
        raise Unsupported

    async def snapshot(self) -> str:
        """The whole page, as far as the tool can give it."""
        raise Unsupported

    async def snapshot_default(self) -> str:
        """What the tool gives an agent that asks for nothing special."""
        return await self.snapshot()

    async def evaluate(self, function: str):
        """Run a JavaScript function without arguments in the page; it may be async."""
        raise Unsupported

    async def click(self, ref) -> None:
        raise NotImplementedError

    async def fill(self, ref, text: str) -> None:
        raise NotImplementedError

    async def type(self, ref, text: str) -> None:
        raise Unsupported

    async def select(self, ref, value: str, label: str) -> None:
        raise NotImplementedError

    async def check(self, ref) -> None:
        raise NotImplementedError

    async def wait_text(self, text: str) -> None:
        raise NotImplementedError

    async def read(self, css: str) -> str:
        raise NotImplementedError

    async def screenshot(self, full: bool = False) -> int:
        raise NotImplementedError

    async def markdown(self) -> str:
        raise Unsupported

    async def traffic_of(self, work) -> dict:
        """Protocol messages of a call: only our own tool can be asked."""
        work.close()
        raise Unsupported

    async def new_session(self, url: str) -> None:
        raise Unsupported  # warm open of a further tab/session, then closed

    async def many(self, urls: list[str], lanes: int) -> None:
        raise Unsupported

    def resolve(self, snap: str, t: Target):
        return find_ref(snap, t) if self.REFS else t.css

    def roots(self) -> list[int]:
        """pids whose trees make up the tool (Chromium processes are left out by the caller)."""
        return []


def find_ref(snap: str, t: Target) -> str:
    """Ref of the first line with this role and name, in the common `- role "name" [ref=eN]` form."""
    for line in snap.splitlines():
        s = line.strip().lstrip("- ")
        if s.startswith(t.role) and f'"{t.name}"' in s:
            m = re.search(r"ref=([\w@]+)", s)
            if m:
                return m.group(1)
    raise KeyError(f"{t.role} {t.name!r} not in snapshot")


BROWSER_EXES = ("chrome", "chromium", "chromium-browser", "headless_shell", "chrome_crashpad_handler", "cat")


def own_rss(roots: list[int]) -> int:
    """Resident bytes (PSS where known) of the trees under roots, Chromium processes left out."""
    if psutil is None:
        return 0
    seen: dict[int, psutil.Process] = {}
    for r in roots:
        try:
            p = psutil.Process(r)
            for q in [p, *p.children(recursive=True)]:
                seen[q.pid] = q
        except psutil.Error:
            pass
    total = 0
    for q in seen.values():
        try:
            cmd = q.cmdline()[:2]
            if os.path.basename(q.exe()) in BROWSER_EXES or any(
                os.path.basename(c) in BROWSER_EXES for c in cmd
            ):
                continue
            total += q.memory_info().rss
        except psutil.Error:
            pass
    return total

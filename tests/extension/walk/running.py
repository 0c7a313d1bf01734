"""Runs the cases of a client on a bare Chromium and through the relay, at the same time."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from boathook.engine.launch.find_chrome import find_browser
from tests.extension import chrome
from tests.extension.conftest import paired
from tests.extension.walk.declared import HERE, PACKAGES
from tests.support.chromium import port_of
from tests.support.site import Site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

Seen = dict[str, dict[str, Any]]
"""What was seen, by the name of the case."""
SWITCHES = tuple(
    switch.replace("--disable-features=", "--disable-features=BackForwardCache,")
    for switch in chrome.SWITCHES
)
"""As the clients start a browser; they do not notice pages that are restored from memory."""
OTHER = "<!doctype html><html lang=en><title>Other</title><link rel=icon href=data:,><h1>Other</h1>"


@asynccontextmanager
async def bare_chromium(profile: Path) -> AsyncIterator[int]:
    """A Chromium without an extension; its debugging port."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    words = [str(find_browser().path), *SWITCHES, *sandbox, f"--user-data-dir={profile}", "about:blank"]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(words, start_new_session=True, **quiet)  # type: ignore[call-overload]  # noqa: ASYNC220 - it takes no time
    try:
        yield await port_of(str(profile))
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def walk_site() -> Site:
    """The pages that the cases use."""
    site = Site()
    html = (HERE / "fixture.html").read_text()
    frame = f"<iframe name=inner src='{site.other_origin}/walk/leaf'></iframe>"
    site._given["walk/leaf"] = ("text/html; charset=utf-8", html.encode())
    site._given["walk/page"] = ("text/html; charset=utf-8", html.replace("<!-- frame -->", frame).encode())
    site._given["walk/other"] = ("text/html; charset=utf-8", OTHER.encode())
    return site


async def run_client(client: str, *, site: Site, only: Sequence[str] | None, **where: Any) -> Seen:
    """Run one client in one browser."""
    given = {"packages": str(PACKAGES), "site": site.origin, "only": only, **where}
    process = await asyncio.create_subprocess_exec(
        "node",
        str(HERE / f"{client}_walk.mjs"),
        json.dumps(given),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), 1_800)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise RuntimeError(f"the walk of {client} failed: {err.decode()[-2000:]}")
    rows = [json.loads(line) for line in out.decode().splitlines() if line.startswith("{")]
    return {row.pop("name"): row for row in rows}


async def run_both(client: str, folder: Path, *, only: Sequence[str] | None = None) -> tuple[Seen, Seen]:
    """What was seen on a bare Chromium, and through the relay."""
    site = walk_site()
    try:
        async with bare_chromium(folder / "bare") as port, paired(folder, switches=SWITCHES) as (relay, _):
            return await run_beside(client, site, port, relay.url, only=only)
    finally:
        site.close()


async def run_beside(
    client: str, site: Site, port: int, relay_url: str, *, only: Sequence[str] | None
) -> tuple[Seen, Seen]:
    """The same with browsers that are running."""
    bare = f"http://127.0.0.1:{port}"
    return await asyncio.gather(
        run_client(client, site=site, only=only, endpoint=bare, connect={"browserURL": bare}),
        run_client(
            client, site=site, only=only, endpoint=relay_url, connect={"browserWSEndpoint": relay_url}
        ),
    )

"""A screen with a headed Chromium, and its user: real mouse and keyboard, by xdotool."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from boathook.relay.extension.install_extension import install
from tests.extension.chrome import SWITCHES, UserChrome
from tests.extension.conftest import Relay
from tests.extension.test_focus import MANAGERS
from tests.support.waiting import until_asked

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

SIZE = (2600, 900)
HEADED = tuple(switch for switch in SWITCHES if not switch.startswith("--headless"))
NO_OTHER_HOST = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"
"""Whatever is typed into the address bar stays on this machine."""
NO_BAR = "--silent-debugger-extension-api"
"""Chrome's own bar about debugging moves the page down when it appears, also between a look and a click."""
LOOK = """(async () => {
  const groups = Object.fromEntries((await chrome.tabGroups.query({})).map(one => [one.id, one.title + '/' + one.color]));
  const all = await chrome.windows.getAll({ populate: true });
  return all.map(({ focused, tabs }) => ({ focused, tabs: tabs.map(one => ({
    id: one.id, url: one.pendingUrl || one.url, active: one.active, pinned: one.pinned, status: one.status,
    group: groups[one.groupId] ?? '' })) }));
})()"""


def missing_programs() -> str:
    """What the machine lacks for this; empty if nothing."""
    needed = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
    if not any(map(shutil.which, MANAGERS)):
        needed.append("a window manager")
    return ", ".join(needed)


@contextmanager
def screen() -> Iterator[dict[str, str]]:
    """A screen with a window manager; yields the environment for programs on it."""
    reading, writing = os.pipe()
    size = f"{SIZE[0]}x{SIZE[1]}x24"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"],
        pass_fds=[writing],
        **quiet,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        environment = {**os.environ, "DISPLAY": f":{pipe.readline().strip()}"}
    manager = subprocess.Popen([next(filter(shutil.which, MANAGERS))], env=environment, **quiet)
    try:
        yield environment
    finally:
        for process in (manager, server):
            process.kill()
            process.wait()


@asynccontextmanager
async def desktop(folder: Path, url: str) -> AsyncIterator[Desktop]:
    """A user with one window at a URL, the extension, and a relay."""
    relay = await Relay(folder / "secrets").start()
    extension = install(relay.files, port=relay.port, folder=folder / "extension")
    with screen() as environment:
        chrome = await UserChrome.start(
            extension=extension,
            profile=folder / "profile",
            url=url,
            switches=(
                *HEADED,
                NO_OTHER_HOST,
                NO_BAR,
                f"--window-size={SIZE[0]},{SIZE[1]}",
                "--window-position=0,0",
            ),
            env=environment,
        )
        try:
            await relay.has_extension()
            await until_asked(lambda: _is_loaded(chrome, url), named="the page is loaded")
            await relay.has_tab(url)
            yield Desktop(relay, chrome, environment)
        finally:
            chrome.stop()
            await relay.stop()


async def _is_loaded(chrome: UserChrome, url: str) -> bool:
    """Whether the first page is there; on a busy machine a headed Chromium sometimes starts without it, and stays so."""
    target = next(iter(await chrome.targets()), None)
    if target is None:
        return False
    if await chrome.evaluate(target, "location.href") != url:
        await chrome.command(target["webSocketDebuggerUrl"], "Page.navigate", url=url)
    await chrome.settled(target, "document.title")
    return True


class Desktop:
    """What the user sees, and the user's hands."""

    def __init__(self, relay: Relay, chrome: UserChrome, environment: dict[str, str]) -> None:
        self.relay = relay
        self.chrome = chrome
        self._environment = environment

    async def _do(self, *words: str) -> None:
        process = await asyncio.create_subprocess_exec("xdotool", *words, env=self._environment)
        assert await process.wait() == 0, words

    async def press(self, *keys: str) -> None:
        """Keys, one after the other, such as `ctrl+t`."""
        await self._do("key", "--clearmodifiers", *keys)

    async def write(self, text: str) -> None:
        """Type."""
        await self._do("type", "--delay", "20", text)

    async def click(self, selector: str, *, button: int = 1, key: str = "") -> None:
        """Click an element of the active page with the real mouse."""
        x, y = await self._place(selector)
        held = ["keydown", key] if key else []
        freed = ["keyup", key] if key else []
        await self._do("mousemove", str(x), str(y), *held, "click", str(button), *freed)

    async def drag(self, begin: tuple[int, int], end: tuple[int, int]) -> None:
        """Drag with the left button."""
        middle = [str((one + other) // 2) for one, other in zip(begin, end, strict=True)]
        path = ["mousemove", *map(str, begin), "mousedown", "1", "mousemove", *middle]
        await self._do(*path, "mousemove", *map(str, end))
        await self._do("mousemove", str(end[0] + 1), str(end[1]), "sleep", "0.15", "mouseup", "1")

    async def _place(self, selector: str) -> tuple[int, int]:
        """Where an element of the page in front is on the screen; bars above the page move it."""
        ask = (
            f"(one => document.visibilityState === 'visible' && document.readyState === 'complete' && one && (r =>"
            " [screenX + (outerWidth - innerWidth) / 2 + r.x + r.width / 2,"
            " screenY + outerHeight - innerHeight + r.y + r.height / 2])(one.getBoundingClientRect()))"
            f"(document.querySelector({selector!r}))"
        )

        async def found() -> Any:
            target = await self.target(await self.active())
            return target and await self.chrome.evaluate(target, ask)

        x, y = await until_asked(found, named=f"{selector} is on the screen")
        return round(x), round(y)

    async def look(self, *, program: str = "about:blank") -> list[dict[str, Any]]:
        """The windows and tabs of the user: those of programs begin with `program`, or are blank."""
        windows = await self.chrome.in_worker(LOOK)
        for window in windows:
            window["tabs"] = [
                tab for tab in window["tabs"] if not tab["url"].startswith((program, "about:blank"))
            ]
        return [window for window in windows if window["tabs"]]

    async def target(self, tab: dict[str, Any]) -> Any:
        """The page of a tab; None while it is replaced. Others may be at the same URL, and say that they are visible."""
        find = f"chrome.debugger.getTargets().then(all => all.find(one => one.tabId === {tab['id']})?.id)"
        target_id = await self.chrome.in_worker(find)
        return next((target for target in await self.chrome.targets() if target["id"] == target_id), None)

    async def active(self) -> dict[str, Any]:
        """The tab in front."""
        windows = await self.look()
        focused = [window for window in windows if window["focused"]] or windows[-1:]
        return next(
            (tab for window in focused for tab in window["tabs"] if tab["active"]), {"url": "", "id": 0}
        )

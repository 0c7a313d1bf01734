"""A user at work beside programs that drive other tabs: `python -m tests.extension.user_actions [--actions N] [--seed N]`.

The same actions, with a real mouse and keyboard in a headed Chromium under Xvfb, are done twice: alone, and beside Playwright and
Boathook in the same browser. After every action windows, tabs, order, groups, pinned tabs and the tab in front must be the same, and
at the end the history of each tab, the visits of the profile and the downloads. Groups and pinning have no keys: there the user's
hand is the browser's own interface for extensions.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boathook
from boathook.errors import BoathookError
from tests.extension.user_desktop import Desktop, desktop, missing_programs
from tests.support.site import Site
from tests.support.waiting import until, until_asked

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import BrowserContext, Page

MOST_TABS = 5
MOST_TRIES = 10
DRAG_SECONDS, CLICK_SECONDS = 2.0, 10.0
"""How long an effect may take, before the user tries again."""
FIRST_TAB, TAB_WIDTH, STRIP = 160, 238, 20
"""Where tabs are on the screen, while there are few of them."""
GROUPS = ("Shopping/red", "Travel/blue")
PROGRAM = "http://localhost"
"""The site of programs; the user is at 127.0.0.1."""
LINKS = (
    "<p><a id=plain href='{0}'>plain</a> <a id=blank target=_blank href='{0}'>blank</a>"
    " <button id=script onclick=\"window.open('{0}')\">script</button>"
    " <a id=file download='file-{1}.txt' href='data:text/plain,words'>file</a> <button id=harmless>harmless</button>"
)


def user_pages(site: Site) -> list[str]:
    """Pages that link to each other."""
    count = 4
    urls = [f"{site.origin}/given/{number}" for number in range(count)]
    return [
        site.page(LINKS.format(urls[(number + 1) % count], number), title=f"User {number}")
        for number in range(count)
    ]


class User:
    """Chooses actions by a seed, and does them one after the other."""

    def __init__(self, desk: Desktop, urls: list[str], *, seed: int) -> None:
        self._desk = desk
        self._urls = urls
        self._random = random.Random(seed)
        self.trace: list[tuple[str, Any]] = []
        self.repeated: Counter[str] = Counter()

    async def look(self) -> tuple[Any, ...]:
        """What the user sees, without numbers that differ from run to run."""
        windows = await self._desk.look(program=PROGRAM)
        return tuple(
            tuple((tab["url"], tab["active"], tab["pinned"], tab["group"]) for tab in window["tabs"])
            for window in windows
        )

    async def act(self) -> None:
        """One action, until it is done and the tabs are as it left them."""
        before = await self.look()
        tabs = before[0]
        name, work, changes = self._choose(tabs)
        await work()
        try:
            await self._settle(before, changes=changes)
        except AssertionError as error:
            now = await self.look()
            raise AssertionError(f"action {len(self.trace)}, {name}: {before} is {now} now") from error
        self.trace.append((name, await self.look()))

    async def _settle(self, before: Any, *, changes: bool) -> None:
        """Something has changed, all pages are loaded, and the tabs stay as they are."""
        seen: list[Any] = []

        async def is_quiet() -> bool:
            windows = await self._desk.look(program=PROGRAM)
            tabs = [tab for window in windows for tab in window["tabs"]]
            loaded = all(tab["status"] == "complete" and tab["url"] in self._urls for tab in tabs)
            loaded = loaded and any(tab["active"] for tab in tabs)
            seen.append(await self.look())
            same = len(seen) > 3 and seen[-1] == seen[-2] == seen[-3]
            return loaded and same and (not changes or seen[-1] != before)

        await until_asked(is_quiet, named="the action is done")

    def _choose(self, tabs: Any) -> tuple[str, Callable[[], Awaitable[None]], bool]:
        active = next(number for number, tab in enumerate(tabs) if tab[1])
        other = self._random.choice([number for number in range(len(tabs)) if number != active] or [active])
        url = self._random.choice(self._urls)
        group = self._random.choice(GROUPS)
        can_open, can_close, can_move = len(tabs) < MOST_TABS, len(tabs) > 2, len(tabs) > 1
        plain = not any(tab[2] or tab[3] for tab in tabs)
        desk = self._desk
        ways: list[tuple[bool, str, Callable[[], Awaitable[None]], bool]] = [
            (can_open, "new", lambda: self._open(url), True),
            (can_open, "blank", lambda: self._click("#blank"), True),
            (can_open, "script", lambda: self._click("#script"), True),
            (can_open, "ctrl-click", lambda: self._click("#plain", key="ctrl"), True),
            (can_open, "middle-click", lambda: self._click("#plain", button=2), True),
            # Chrome asks before it closes the last tab of a group.
            (
                can_close and not (tabs[active][2] or tabs[active][3]),
                "close",
                lambda: desk.press("ctrl+w"),
                True,
            ),
            (can_close and plain, "close by mouse", lambda: self._close_tab(other), True),
            (can_move, f"switch {other}", lambda: desk.press(f"alt+{other + 1}"), True),
            (can_move and plain, f"drag {active} {other}", lambda: self._drag(active, other), True),
            (True, "follow", lambda: self._click("#plain"), True),
            (True, "back", lambda: self._travel("alt+Left", -1), False),
            (True, "forward", lambda: self._travel("alt+Right", 1), False),
            (True, "reload", self._reload, False),
            (True, "download", self._download, False),
            (not tabs[active][2], f"group {group}", lambda: self._group(group), False),
            (bool(tabs[active][3]), "ungroup", self._ungroup, True),
            (True, "pin", lambda: self._pin(not tabs[active][2]), True),
        ]
        allowed = [way[1:] for way in ways if way[0]]
        return self._random.choice(allowed)

    async def _open(self, url: str) -> None:
        await self._desk.press("ctrl+t")

        async def is_open() -> bool:
            tab = await self._desk.active()
            return tab["url"].startswith("chrome:") and tab["status"] == "complete"

        await until_asked(is_open, named="the new tab is open")
        target = await self._active_target()

        async def is_elsewhere() -> bool:
            return not await self._desk.chrome.evaluate(target, "document.hasFocus()")

        await self._desk.press("ctrl+l")
        await until_asked(is_elsewhere, named="the address bar has the focus")
        await self._desk.write(url.removeprefix("http://"))
        await self._desk.press("Return")

    async def _active_target(self) -> Any:
        async def found() -> Any:
            return await self._desk.target(await self._desk.active())

        return await until_asked(found, named="the page in front")

    async def _travel(self, keys: str, step: int) -> None:
        """Back or forward, unless that leads to a page of the browser itself."""
        tab = await self._desk.active()
        index, urls = await _history(self._desk, tab)
        if not 0 <= index + step < len(urls) or not urls[index + step].startswith("http"):
            return
        await self._desk.press(keys)

        async def is_there() -> bool:
            return bool((await _history(self._desk, tab))[0] == index + step)

        await until_asked(is_there, named="the other page is there")

    async def _reload(self) -> None:
        target = await self._active_target()
        await self._desk.chrome.evaluate(target, "window.former = 1")
        await self._desk.press("F5")
        await self._desk.chrome.settled(target, "!window.former")

    async def _close_tab(self, number: int) -> None:
        """With the middle button on its tab."""
        await self._desk._do("mousemove", str(FIRST_TAB + number * TAB_WIDTH), str(STRIP), "click", "2")

    async def _drag(self, begin: int, end: int) -> None:
        """A tab that is opened or closed meanwhile ends a drag, in any Chrome."""
        start = (FIRST_TAB + begin * TAB_WIDTH, STRIP)
        aim = (FIRST_TAB + end * TAB_WIDTH + (end > begin) * 30, STRIP)
        differs = await self._differing()
        await self._repeat("drags", lambda: self._desk.drag(start, aim), differs, seconds=DRAG_SECONDS)

    async def _click(self, selector: str, *, button: int = 1, key: str = "") -> None:
        """Playwright prevents all other clicks in a page while it clicks there, in any browser."""
        differs = await self._differing()
        await self._repeat(
            "clicks",
            lambda: self._desk.click(selector, button=button, key=key),
            differs,
            seconds=CLICK_SECONDS,
        )

    async def _download(self) -> None:
        count = "chrome.downloads.search({state: 'complete'}).then(all => all.length)"
        before = await self._desk.chrome.in_worker(count)

        async def is_there() -> bool:
            return bool(await self._desk.chrome.in_worker(count) > before)

        await self._repeat("clicks", lambda: self._desk.click("#file"), is_there, seconds=CLICK_SECONDS)

    async def _differing(self) -> Callable[[], Awaitable[bool]]:
        """Asks whether the tabs differ from now."""
        before = await self.look()

        async def differs() -> bool:
            return bool(await self.look() != before)

        return differs

    async def _repeat(
        self,
        kind: str,
        work: Callable[[], Awaitable[None]],
        is_done: Callable[[], Awaitable[bool]],
        *,
        seconds: float,
    ) -> None:
        """Do it again if it had no effect, as a user would."""
        for _ in range(MOST_TRIES):
            await work()
            with suppress(AssertionError):
                await until_asked(is_done, named="an effect", seconds=seconds)
                return
            self.repeated[kind] += 1

    async def _by_hand(self, script: str) -> None:
        tab = (await self._desk.active())["id"]
        await self._desk.chrome.in_worker(f"(async (tabId) => {{ {script}; return 1 }})({tab})")

    async def _group(self, wanted: str) -> None:
        title, _, color = wanted.partition("/")
        await self._by_hand(
            f"const [there] = await chrome.tabGroups.query({{title: '{title}'}});"
            " const id = await chrome.tabs.group({tabIds: [tabId], ...(there && {groupId: there.id})});"
            f" await chrome.tabGroups.update(id, {{title: '{title}', color: '{color}'}})"
        )

    async def _ungroup(self) -> None:
        await self._by_hand("await chrome.tabs.ungroup(tabId)")

    async def _pin(self, pinned: bool) -> None:
        await self._by_hand(f"await chrome.tabs.update(tabId, {{pinned: {str(pinned).lower()}}})")


class Programs:
    """Playwright and Boathook at work in the same browser, until `stop`."""

    def __init__(self, desk: Desktop, site: Site) -> None:
        self._relay = desk.relay.url
        body = "<button onclick=\"document.title='clicked'\">Press</button><input aria-label=Name>"
        self._url = site.page(body, title="Program").replace("127.0.0.1", "localhost")
        self._stop = asyncio.Event()
        self.done: Counter[str] = Counter()

    async def run(self) -> None:
        """Both."""
        await asyncio.gather(self._playwright(), self._boathook())

    def stop(self) -> None:
        """After their current step."""
        self._stop.set()

    async def _playwright(self) -> None:
        from playwright.async_api import Error, async_playwright

        async with async_playwright() as started:
            browser = await started.chromium.connect_over_cdp(self._relay)
            context = browser.contexts[0]
            with suppress(Error):  # a page that is closed meanwhile
                await context.expose_function("added", lambda one, two: one + two)
            while not self._stop.is_set():
                page = await context.new_page()
                with suppress(Error, IndexError):  # the user closes and leaves pages as they like
                    await self._work_in(page, context)
                    self.done["Playwright"] += 1
                await page.close()
            await browser.close()

    async def _work_in(self, page: Page, context: BrowserContext) -> None:
        page.set_default_timeout(15_000)
        await page.goto(self._url)
        await page.click("button")
        await page.screenshot()
        await context.set_offline(True)
        await context.set_offline(False)
        users = [one for one in context.pages if not one.url.startswith((PROGRAM, "about:"))]
        theirs = random.choice(users)
        theirs.set_default_timeout(5_000)
        await theirs.title()
        await theirs.click("#harmless")
        await theirs.bring_to_front()

    async def _boathook(self) -> None:
        while not self._stop.is_set():
            with suppress(BoathookError):
                async with await boathook.attach(self._relay) as browser:
                    tab = await browser.open(self._url)
                    try:
                        await self._work_beside(browser, tab)
                        self.done["Boathook"] += 1
                    finally:
                        await tab.close()

    async def _work_beside(self, browser: boathook.Browser, tab: boathook.Tab) -> None:
        await tab.fill("label=Name", "Ada")
        await tab.click("text=Press")
        users = [page for page in await browser.pages() if not page.url.startswith((PROGRAM, "about:"))]
        theirs = await browser.tab(random.choice(users).target_id)
        await theirs.snapshot()
        with suppress(BoathookError):
            await theirs.goto(self._url)
        with suppress(BoathookError):
            await theirs.close()


async def disturb(desk: Desktop) -> None:
    """What a program must not do: the user's first tab is put into a group."""
    await desk.chrome.in_worker(
        "chrome.tabs.query({index: 0}).then(([one]) => chrome.tabs.group({tabIds: [one.id]})).then(() => 1)"
    )


async def run_actions(
    site: Site, urls: list[str], *, actions: int, seed: int, beside: str = ""
) -> dict[str, Any]:
    """All actions of a user, alone or beside programs; the outcome."""
    with tempfile.TemporaryDirectory() as folder:
        async with desktop(Path(folder), urls[0]) as desk:
            user, programs = User(desk, urls, seed=seed), Programs(desk, site)
            work = asyncio.create_task(programs.run()) if beside == "programs" else None
            for number in range(actions):
                if beside == "disturber" and number == actions // 2:
                    await disturb(desk)
                await user.act()
            if work is not None:
                await until(lambda: len(programs.done) == len(("Playwright", "Boathook")), named="both work")
                programs.stop()
                await work
            histories = [
                await _history(desk, tab)
                for window in await desk.look(program=PROGRAM)
                for tab in window["tabs"]
            ]
            files = await desk.chrome.in_worker(
                "chrome.downloads.search({}).then(all => all.map(one => [one.url, one.state]).sort())"
            )
            end = await user.look()
            await desk.chrome.quit()
        visits = _visits(Path(folder) / "profile" / "Default" / "History", [*urls])
    return {
        "trace": user.trace,
        "end": end,
        "histories": histories,
        "downloads": files,
        "visits": visits,
        "programs": dict(programs.done),
        "repeated": dict(user.repeated),
    }


async def _history(desk: Desktop, tab: dict[str, Any]) -> Any:
    async def ask() -> Any:
        target = await desk.target(tab)
        if target is None:
            return None
        reply = await desk.chrome.command(target["webSocketDebuggerUrl"], "Page.getNavigationHistory")
        return "currentIndex" in reply and reply  # not while a page is replaced

    told = await until_asked(ask, named="the history")
    return told["currentIndex"], [entry["url"] for entry in told["entries"]]


def _visits(database: Path, urls: list[str]) -> dict[str, int]:
    """How often the profile remembers each of the user's pages."""
    with sqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True) as opened:
        rows = dict(opened.execute("select url, visit_count from urls").fetchall())
    return {url: rows.get(url, 0) for url in urls}


def differences(alone: dict[str, Any], beside: dict[str, Any]) -> list[str]:
    """What differs between two runs."""
    found = [
        f"action {number}, {one[0]}: {one[1]} alone, {other[1]} beside"
        for number, (one, other) in enumerate(zip(alone["trace"], beside["trace"], strict=True))
        if one != other
    ]
    found += [
        f"{name}: {alone[name]} alone, {beside[name]} beside"
        for name in ("end", "histories", "downloads", "visits")
        if alone[name] != beside[name]
    ]
    return found


async def compare(*, actions: int, seed: int, beside: str) -> tuple[list[str], dict[str, Any]]:
    """Run the same actions twice."""
    site = Site()
    try:
        urls = user_pages(site)
        alone = await run_actions(site, urls, actions=actions, seed=seed)
        other = await run_actions(site, urls, actions=actions, seed=seed, beside=beside)
    finally:
        site.close()
    return differences(alone, other), other


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--actions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=17)
    given = parser.parse_args()
    if missing := missing_programs():
        print(f"user actions: skipped, since this machine lacks {missing}")
        return 0
    began = time.monotonic()
    found, other = asyncio.run(compare(actions=given.actions, seed=given.seed, beside="programs"))
    for line in found[:10]:
        print(line)
    kinds = Counter(name.split()[0] for name, _ in other["trace"])
    print(f"{given.actions} actions of a user: {dict(kinds)}")
    print(f"beside them: {other['programs']} rounds; {time.monotonic() - began:.0f} s in sum")
    print(f"what the user had to repeat: {other['repeated']}")
    print(f"{len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

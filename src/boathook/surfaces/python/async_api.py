"""The asynchronous Python API: open a browser, look at pages, run scripts, take pictures."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from boathook.engine import open as opening
from boathook.engine.addresses import DEFAULT_SCHEMES
from boathook.engine.capture.annotate import annotate as annotated
from boathook.engine.capture.memory import is_news
from boathook.engine.capture.model_copy import model_copy
from boathook.engine.capture.saving import save_picture, save_privately
from boathook.engine.capture.screenshot import capture
from boathook.engine.evaluate import RESULT_LIMIT, evaluate
from boathook.engine.launch.options import LaunchOptions, Proxy
from boathook.engine.locate import locate
from boathook.engine.snapshot.question import Question
from boathook.engine.snapshot.take import take_snapshot
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS
from boathook.engine.upload_files import checked_roots
from boathook.errors import BadSetting, TargetNotFound
from boathook.presentation.snapshot import DEFAULT_BUDGET
from boathook.surfaces.python.results import FrameInfo, PageInfo, Screenshot, SnapshotView
from boathook.surfaces.python.tab_actions import TabActions
from boathook.surfaces.python.tab_primitives import TabPrimitives
from boathook.surfaces.python.tab_reading import TabReading
from boathook.surfaces.python.tab_watching import TabWatching
from boathook.values import ImageFormat, Ref, SnapshotMode, Viewport, WaitUntil

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from boathook.engine.browser import Browser as EngineBrowser
    from boathook.engine.dialogs import Dialog


async def launch(
    *,
    headless: bool = True,
    executable: str | Path | None = None,
    profile: str | Path | None = None,
    viewport: Viewport | None = None,
    switches: Sequence[str] = (),
    sandbox: Literal["auto", "require", "off"] = "auto",
    stealth: Literal["basic", "off"] = "basic",
    proxy: str | Proxy | None = None,
    ignore_certificate_errors: bool = False,
    ca_bundle: str | Path | None = None,
    allow_schemes: Sequence[str] = (),
    upload_roots: Sequence[str | Path] | None = None,
    timeout: float = 30.0,
) -> Browser:
    """Start a browser of our own. It ends with this process, whatever ends that.

    Files are uploaded from `upload_roots` only: by default the working directory and the one for temporary files.
    """
    roots = checked_roots(upload_roots)
    options = LaunchOptions(
        headless=headless,
        executable=executable,
        profile=Path(profile) if profile is not None else None,
        viewport=viewport or Viewport(),
        switches=tuple(switches),
        sandbox=sandbox,
        stealth=stealth,
        proxy=Proxy(server=proxy) if isinstance(proxy, str) else proxy,
        ignore_certificate_errors=ignore_certificate_errors,
        ca_bundle=Path(ca_bundle) if ca_bundle is not None else None,
        launch_seconds=timeout,
    )
    engine = await opening.launch(options, schemes=DEFAULT_SCHEMES | set(allow_schemes))
    engine.upload_roots = roots
    return Browser(engine)


async def attach(
    endpoint: str | int,
    *,
    allow_schemes: Sequence[str] = (),
    upload_roots: Sequence[str | Path] | None = None,
    timeout: float = 10.0,
) -> Browser:
    """Connect to a browser that listens: a port, `http://host:port` or `ws://…`. Closing only disconnects."""
    schemes = DEFAULT_SCHEMES | set(allow_schemes)
    roots = checked_roots(upload_roots)
    engine = await opening.attach(str(endpoint), schemes=schemes, seconds=timeout)
    engine.upload_roots = roots
    return Browser(engine)


class Browser:
    """A browser, ours or somebody else's. Use it with `async with`."""

    def __init__(self, engine: EngineBrowser) -> None:
        self._engine = engine

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def kind(self) -> str:
        """`managed` when we started it, `cdp` when somebody else did."""
        return self._engine.kind

    @property
    def product(self) -> str:
        """Name and version, as the browser says them."""
        return self._engine.product

    @property
    def notes(self) -> tuple[str, ...]:
        """What the caller should know about this launch, such as a sandbox that is off."""
        return self._engine.notes

    async def open(
        self,
        url: str = "about:blank",
        *,
        label: str = "",
        isolated: bool = False,
        wait_until: WaitUntil = "load",
        timeout: float = NAVIGATE_SECONDS,
    ) -> Tab:
        """Open a tab and load an address; `isolated` gives it cookies and storage of its own.

        A label stands for one tab: opening it again loads the address there.
        """
        tab = await self._engine.open_tab(
            url, isolated=isolated, label=label, wait_until=wait_until, timeout=timeout
        )
        return Tab(self._engine, tab)

    async def tab(self, name: str) -> Tab:
        """The tab with this id (`t1`), label or CDP target id."""
        return Tab(self._engine, await self._engine.use_tab(name))

    async def tabs(self) -> list[Tab]:
        """The tabs that we work with, popups included, oldest first."""
        return [Tab(self._engine, tab) for tab in self._engine.tabs]

    async def pages(self) -> list[PageInfo]:
        """Every page that is open in this browser, also those that we do not work with."""
        ids = {tab.target_id: tab.id for tab in self._engine.tabs}
        return [
            PageInfo(target_id=info.id, tab=ids.get(info.id, ""), url=info.url, title=info.title)
            for info in self._engine.targets.pages()
        ]

    async def close(self) -> None:
        """End a browser that we started; disconnect from one that we did not."""
        await self._engine.close()


class Tab(TabActions, TabPrimitives, TabReading, TabWatching):
    """One page, by its lasting id."""

    def __repr__(self) -> str:
        return f"<Tab {self.id} {self.state} {self.url}>"

    @property
    def id(self) -> str:
        """`t1`, `t2`, …: never given to another tab."""
        return self._engine.id

    @property
    def label(self) -> str:
        """The name that the tab was opened with."""
        return self._engine.label

    @property
    def url(self) -> str:
        """The present address."""
        return self._engine.url

    @property
    def state(self) -> str:
        """`ready`, `recovering`, `crashed`, `dead` or `closed`."""
        return self._engine.state

    @property
    def opener(self) -> str:
        """The id of the tab that opened this one as a popup, or nothing."""
        return self._engine.opener.id if self._engine.opener is not None else ""

    @property
    def dialog(self) -> Dialog | None:
        """The JavaScript dialog that waits for an answer."""
        return self._engine.dialogs.pending

    async def goto(
        self, url: str, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> None:
        """Load an address and wait for it."""
        await self._engine.goto(url, wait_until=wait_until, timeout=timeout)

    async def reload(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> None:
        """Load the present address again."""
        await self._engine.reload(wait_until=wait_until, timeout=timeout)

    async def back(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> None:
        """Go one page back."""
        await self._engine.step(-1, wait_until=wait_until, timeout=timeout)

    async def forward(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> None:
        """Go one page forward."""
        await self._engine.step(1, wait_until=wait_until, timeout=timeout)

    async def title(self) -> str:
        """The page's title, read from the page."""
        return await self._engine.title()

    async def frames(self) -> list[FrameInfo]:
        """The frames of the page, the top one first; `handle` stays with a frame while documents come and go in it."""
        known = {frame.id: frame.handle for frame in self._engine.frames}
        return [
            FrameInfo(
                handle=frame.handle, parent=known.get(frame.parent_id, ""), url=frame.url, name=frame.name
            )
            for frame in self._engine.frames
        ]

    async def snapshot(
        self,
        *,
        mode: SnapshotMode = "interactive",
        root: str | None = None,
        depth: int = 0,
        viewport_only: bool = False,
        search: str = "",
        role: str = "",
        urls: bool = False,
        boxes: bool = False,
        since: int | None = None,
        budget: int | None = DEFAULT_BUDGET,
        fold: bool = True,
        expand: Sequence[str] = (),
        timeout: float = READ_SECONDS,
    ) -> SnapshotView:
        """The page as text with refs; with `since`, what changed from that revision on."""
        before = self._engine.snapshots.get(since) if since is not None else None
        if since is not None and before is None:
            raise TargetNotFound(
                f"revision {since} is not remembered", hint="take a whole snapshot (since=None)"
            )
        expanded = [_number(text) for text in expand]
        async with self._engine.call("taking a snapshot", seconds=timeout, looks=True) as deadline:
            element = await locate(self._engine, root) if root is not None else None
            question = Question(
                mode=mode,
                root=element,
                depth=depth,
                viewport_only=viewport_only,
                urls=urls,
                boxes=boxes,
                search=search,
                role=role,
            )
            taken = await take_snapshot(self._engine, question, deadline=deadline)
        return SnapshotView(taken, before=before, budget=budget, fold=fold, expand=expanded)

    async def evaluate(
        self,
        script: str,
        *arguments: Any,
        target: str | None = None,
        world: Literal["main", "isolated"] = "main",
        limit: int = RESULT_LIMIT,
        timeout: float = READ_SECONDS,
    ) -> Any:
        """Run JavaScript: an expression, or a function that gets the arguments (after `target`'s element)."""
        async with self._engine.call("running a script", seconds=timeout) as deadline:
            return await evaluate(
                self._engine, script, arguments, target=target, world=world, limit=limit, deadline=deadline
            )

    async def screenshot(
        self,
        path: str | Path | None = None,
        *,
        target: str | None = None,
        full_page: bool = False,
        annotate: bool = False,
        for_model: bool = False,
        if_changed: bool = False,
        format: ImageFormat = "png",
        quality: int | None = None,
        timeout: float = READ_SECONDS,
    ) -> Screenshot:
        """A picture of the viewport, the full page or one element; `annotate` draws the refs into it.

        `for_model` gives a copy of at most 1024 pixels a side and 150 KiB, and keeps the picture itself on disk.
        With `if_changed`, one that is like the last of its kind comes without data.
        """
        kind = repr((target, full_page, annotate, format, quality))
        async with self._engine.call("taking a screenshot", seconds=timeout, looks=True) as deadline:
            draw = partial(annotated, self._engine, deadline=deadline)
            picture = await capture(
                self._engine,
                target=target,
                full_page=full_page,
                format=format,
                quality=quality,
                deadline=deadline,
            )
            picture = await draw(picture) if annotate else picture
            changed = not if_changed or await is_news(self._engine, kind, picture.data, deadline=deadline)
            saved = save_picture(picture, Path(path)) if path is not None else None
            if for_model and changed:
                saved = saved or save_privately(picture, self._browser.folder)
                finish = draw if annotate else None
                picture = await model_copy(self._engine, picture, finish=finish, deadline=deadline)
        return Screenshot.of(picture, path=saved, changed=changed)

    async def answer_dialog(self, *, accept: bool, text: str = "") -> Dialog:
        """Answer the confirm or prompt that waits."""
        return await self._engine.dialogs.answer(accept=accept, text=text)

    async def close(self) -> None:
        """Close the tab."""
        await self._browser.close_tab(self._engine)


def _number(text: str) -> int:
    ref = Ref.parse(text)
    if ref is None:
        raise BadSetting(f"{text!r} is not a ref", hint="expand takes refs such as @e12")
    return ref.number

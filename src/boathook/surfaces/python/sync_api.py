"""The synchronous Python API, generated from async_api.py by tools/generate_sync_api.py; do not edit.

Every call runs on a loop in a thread of its own, so it also works where a loop is running already (notebooks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

from boathook.engine.actions.collecting import COLLECT_SECONDS, Collected
from boathook.engine.actions.held import Button
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.engine.emulation import NOT_GIVEN, ColorScheme, Motion, NotGiven, Place, Settings
from boathook.engine.evaluate import RESULT_LIMIT
from boathook.engine.network.log import BODY_LIMIT, Body, Request
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS
from boathook.engine.waits.events import WAIT_SECONDS
from boathook.presentation.reading import DEFAULT_LIMIT, Reading
from boathook.presentation.snapshot import DEFAULT_BUDGET
from boathook.surfaces.python import async_api
from boathook.surfaces.python.portal import Portal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from boathook.engine.actions.dragging import Where
    from boathook.engine.actions.pointer import Button
    from boathook.engine.actions.scrolling import Scrolled
    from boathook.engine.capture.pdf import Pdf
    from boathook.engine.console import ConsoleMessage, Level
    from boathook.engine.dialogs import Dialog, DialogPolicy
    from boathook.engine.downloads import Download
    from boathook.engine.launch.options import Proxy
    from boathook.engine.network.patterns import UrlPattern
    from boathook.engine.reading import ReadFormat
    from boathook.engine.state_file import SavedState
    from boathook.engine.storage import Area
    from boathook.engine.uploads import Uploaded
    from boathook.engine.waits.targets import Sightings, TargetState
    from boathook.surfaces.python.results import Acted, FrameInfo, PageInfo, Screenshot, SnapshotView
    from boathook.values import ImageFormat, SnapshotMode, Viewport, WaitUntil


def launch(
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
    portal = Portal()
    try:
        return Browser(
            portal,
            portal.call(
                async_api.launch(
                    headless=headless,
                    executable=executable,
                    profile=profile,
                    viewport=viewport,
                    switches=switches,
                    sandbox=sandbox,
                    stealth=stealth,
                    proxy=proxy,
                    ignore_certificate_errors=ignore_certificate_errors,
                    ca_bundle=ca_bundle,
                    allow_schemes=allow_schemes,
                    upload_roots=upload_roots,
                    timeout=timeout,
                )
            ),
        )
    except BaseException:
        portal.close()
        raise


def attach(
    endpoint: str | int,
    *,
    allow_schemes: Sequence[str] = (),
    upload_roots: Sequence[str | Path] | None = None,
    timeout: float = 10.0,
) -> Browser:
    """Connect to a browser that listens: a port, `http://host:port` or `ws://…`. Closing only disconnects."""
    portal = Portal()
    try:
        return Browser(
            portal,
            portal.call(
                async_api.attach(
                    endpoint, allow_schemes=allow_schemes, upload_roots=upload_roots, timeout=timeout
                )
            ),
        )
    except BaseException:
        portal.close()
        raise


class Browser:
    """A browser, ours or somebody else's. Use it with `with`."""

    def __init__(self, portal: Portal, inner: async_api.Browser) -> None:
        self._portal = portal
        self._inner = inner

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End a browser that we started; disconnect from one that we did not."""
        try:
            self._portal.call(self._inner.close())
        finally:
            self._portal.close()

    @property
    def kind(self) -> str:
        """`managed` when we started it, `cdp` when somebody else did."""
        return self._inner.kind

    @property
    def product(self) -> str:
        """Name and version, as the browser says them."""
        return self._inner.product

    @property
    def notes(self) -> tuple[str, ...]:
        """What the caller should know about this launch, such as a sandbox that is off."""
        return self._inner.notes

    def open(
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
        return Tab(
            self._portal,
            self._portal.call(
                self._inner.open(url, label=label, isolated=isolated, wait_until=wait_until, timeout=timeout)
            ),
        )

    def tab(self, name: str) -> Tab:
        """The tab with this id (`t1`), label or CDP target id."""
        return Tab(self._portal, self._portal.call(self._inner.tab(name)))

    def tabs(self) -> list[Tab]:
        """The tabs that we work with, popups included, oldest first."""
        return [Tab(self._portal, tab) for tab in self._portal.call(self._inner.tabs())]

    def pages(self) -> list[PageInfo]:
        """Every page that is open in this browser, also those that we do not work with."""
        return self._portal.call(self._inner.pages())


class Tab:
    """One page, by its lasting id."""

    def __init__(self, portal: Portal, inner: async_api.Tab) -> None:
        self._portal = portal
        self._inner = inner

    def __repr__(self) -> str:
        return repr(self._inner)

    @property
    def id(self) -> str:
        """`t1`, `t2`, …: never given to another tab."""
        return self._inner.id

    @property
    def label(self) -> str:
        """The name that the tab was opened with."""
        return self._inner.label

    @property
    def url(self) -> str:
        """The present address."""
        return self._inner.url

    @property
    def state(self) -> str:
        """`ready`, `recovering`, `crashed`, `dead` or `closed`."""
        return self._inner.state

    @property
    def opener(self) -> str:
        """The id of the tab that opened this one as a popup, or nothing."""
        return self._inner.opener

    @property
    def dialog(self) -> Dialog | None:
        """The JavaScript dialog that waits for an answer."""
        return self._inner.dialog

    def goto(self, url: str, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> None:
        """Load an address and wait for it."""
        self._portal.call(self._inner.goto(url, wait_until=wait_until, timeout=timeout))

    def reload(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> None:
        """Load the present address again."""
        self._portal.call(self._inner.reload(wait_until=wait_until, timeout=timeout))

    def back(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> None:
        """Go one page back."""
        self._portal.call(self._inner.back(wait_until=wait_until, timeout=timeout))

    def forward(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> None:
        """Go one page forward."""
        self._portal.call(self._inner.forward(wait_until=wait_until, timeout=timeout))

    def title(self) -> str:
        """The page's title, read from the page."""
        return self._portal.call(self._inner.title())

    def frames(self) -> list[FrameInfo]:
        """The frames of the page, the top one first; `handle` stays with a frame while documents come and go in it."""
        return self._portal.call(self._inner.frames())

    def snapshot(
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
        return self._portal.call(
            self._inner.snapshot(
                mode=mode,
                root=root,
                depth=depth,
                viewport_only=viewport_only,
                search=search,
                role=role,
                urls=urls,
                boxes=boxes,
                since=since,
                budget=budget,
                fold=fold,
                expand=expand,
                timeout=timeout,
            )
        )

    def evaluate(
        self,
        script: str,
        *arguments: Any,
        target: str | None = None,
        world: Literal["main", "isolated"] = "main",
        limit: int = RESULT_LIMIT,
        timeout: float = READ_SECONDS,
    ) -> Any:
        """Run JavaScript: an expression, or a function that gets the arguments (after `target`'s element)."""
        return self._portal.call(
            self._inner.evaluate(script, *arguments, target=target, world=world, limit=limit, timeout=timeout)
        )

    def screenshot(
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
        return self._portal.call(
            self._inner.screenshot(
                path,
                target=target,
                full_page=full_page,
                annotate=annotate,
                for_model=for_model,
                if_changed=if_changed,
                format=format,
                quality=quality,
                timeout=timeout,
            )
        )

    def answer_dialog(self, *, accept: bool, text: str = "") -> Dialog:
        """Answer the confirm or prompt that waits."""
        return self._portal.call(self._inner.answer_dialog(accept=accept, text=text))

    def close(self) -> None:
        """Close the tab."""
        self._portal.call(self._inner.close())

    def click(
        self,
        target: str,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        offset: tuple[float, float] | None = None,
        nth: int | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Click an element and wait until the page settles."""
        return self._portal.call(
            self._inner.click(
                target,
                button=button,
                count=count,
                modifiers=modifiers,
                offset=offset,
                nth=nth,
                timeout=timeout,
            )
        )

    def hover(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Move the mouse over an element."""
        return self._portal.call(self._inner.hover(target, nth=nth, timeout=timeout))

    def focus(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Give an element the focus, without pressing it."""
        return self._portal.call(self._inner.focus(target, nth=nth, timeout=timeout))

    def bring_to_front(self, *, timeout: float = ACTION_SECONDS) -> None:
        """Show this tab before the others of its window; no other call does that by itself."""
        self._portal.call(self._inner.bring_to_front(timeout=timeout))

    def tap(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Tap an element with a finger."""
        return self._portal.call(self._inner.tap(target, nth=nth, timeout=timeout))

    def drag(
        self,
        source: str,
        target: str | None = None,
        *,
        where: Where = "onto",
        offset: tuple[float, float] | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Drag an element onto, before or after another one, or by an offset in pixels."""
        return self._portal.call(
            self._inner.drag(source, target, where=where, offset=offset, timeout=timeout)
        )

    def fill(
        self, target: str, value: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Replace what a field holds; the value is read back."""
        return self._portal.call(self._inner.fill(target, value, nth=nth, timeout=timeout))

    def clear(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Empty a field."""
        return self._portal.call(self._inner.clear(target, nth=nth, timeout=timeout))

    def type(
        self, target: str, text: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Type key by key at the end of a field; a newline presses Enter."""
        return self._portal.call(self._inner.type(target, text, nth=nth, timeout=timeout))

    def press(
        self, key: str, target: str | None = None, *, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Press a key or a chord such as `Control+A`, on an element or wherever the focus is."""
        return self._portal.call(self._inner.press(key, target, nth=nth, timeout=timeout))

    def select(
        self, target: str, *wanted: str, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Choose options by value, label or index (`#0`), also in listboxes made of other elements."""
        return self._portal.call(self._inner.select(target, *wanted, nth=nth, timeout=timeout))

    def check(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Make sure that a checkbox, radio button or switch is on."""
        return self._portal.call(self._inner.check(target, nth=nth, timeout=timeout))

    def uncheck(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Make sure that a checkbox or switch is off."""
        return self._portal.call(self._inner.uncheck(target, nth=nth, timeout=timeout))

    def scroll(
        self, *, down: float = 0, right: float = 0, target: str | None = None, timeout: float = ACTION_SECONDS
    ) -> Scrolled:
        """Scroll the page, or the scroller around `target`, by pixels or by a share between -1 and 1."""
        return self._portal.call(self._inner.scroll(down=down, right=right, target=target, timeout=timeout))

    def scroll_to(self, target: str, *, timeout: float = ACTION_SECONDS) -> None:
        """Bring an element into view."""
        self._portal.call(self._inner.scroll_to(target, timeout=timeout))

    def mouse_move(self, x: float, y: float, *, steps: int = 1, timeout: float = ACTION_SECONDS) -> Acted:
        """Move the mouse to a point of the viewport, in CSS pixels."""
        return self._portal.call(self._inner.mouse_move(x, y, steps=steps, timeout=timeout))

    def mouse_down(
        self, button: Button = "left", *, clicks: int = 1, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Press a button where `mouse_move` left the mouse; `clicks=2` makes it the second of a double click."""
        return self._portal.call(self._inner.mouse_down(button, clicks=clicks, timeout=timeout))

    def mouse_up(self, button: Button = "left", *, timeout: float = ACTION_SECONDS) -> Acted:
        """Let go of a button."""
        return self._portal.call(self._inner.mouse_up(button, timeout=timeout))

    def mouse_wheel(self, right: float, down: float, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Turn the wheel over whatever lies under the mouse, by pixels."""
        return self._portal.call(self._inner.mouse_wheel(right, down, timeout=timeout))

    def key_down(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Press a key and keep it down."""
        return self._portal.call(self._inner.key_down(key, timeout=timeout))

    def key_up(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Let go of a key."""
        return self._portal.call(self._inner.key_up(key, timeout=timeout))

    def insert_text(self, text: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Put text where the focus is, without keys."""
        return self._portal.call(self._inner.insert_text(text, timeout=timeout))

    def collect(
        self,
        items: str,
        *,
        within: str | None = None,
        until: str | int | None = None,
        most: int = 500,
        timeout: float = COLLECT_SECONDS,
    ) -> Collected:
        """Scroll through a list from its top and collect its items: to the end, or until a text or so many were seen."""
        return self._portal.call(
            self._inner.collect(items, within=within, until=until, most=most, timeout=timeout)
        )

    def clipboard_read(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> str:
        """The text on the clipboard. Unless the browser is headless and ours, it is its user's: `allow` is needed."""
        return self._portal.call(self._inner.clipboard_read(allow=allow, timeout=timeout))

    def clipboard_write(self, text: str, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> None:
        """Put text on the clipboard; all tabs of the browser share it."""
        self._portal.call(self._inner.clipboard_write(text, allow=allow, timeout=timeout))

    def copy(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Copy what is selected, by the keys that do so."""
        return self._portal.call(self._inner.copy(allow=allow, timeout=timeout))

    def paste(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Paste where the focus is, by the keys that do so."""
        return self._portal.call(self._inner.paste(allow=allow, timeout=timeout))

    def read(
        self,
        format: ReadFormat = "markdown",
        *,
        target: str | None = None,
        limit: int = DEFAULT_LIMIT,
        timeout: float = READ_SECONDS,
    ) -> Reading:
        """The main part of the page without menus and banners, or the element that `target` names.

        `format` is `markdown`, `text`, `html` (without anything that acts), `outline` (landmarks and headings of the
        whole page) or `tables` (rows as data). Text beyond `limit` characters is saved to a private file that goes
        away with the browser, and the last line names it. A PDF in the browser's viewer is read page by page.
        """
        return self._portal.call(self._inner.read(format, target=target, limit=limit, timeout=timeout))

    @property
    def mark(self) -> int:
        """The present moment, for the `since` of waits and logs."""
        return self._inner.mark

    def wait_for(
        self,
        target: str,
        *,
        state: TargetState = "visible",
        text: str | None = None,
        value: str | None = None,
        count: int | None = None,
        exact: bool = False,
        nth: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Sightings:
        """Wait until an element is visible, hidden, attached, detached or enabled, or has a text, value or count."""
        return self._portal.call(
            self._inner.wait_for(
                target,
                state=state,
                text=text,
                value=value,
                count=count,
                exact=exact,
                nth=nth,
                timeout=timeout,
            )
        )

    def wait_for_text(self, text: str, *, exact: bool = False, timeout: float = WAIT_SECONDS) -> Sightings:
        """Wait until a text is shown on the page; without `exact`, upper and lower case are the same."""
        return self._portal.call(self._inner.wait_for_text(text, exact=exact, timeout=timeout))

    def wait_for_url(self, pattern: UrlPattern, *, timeout: float = WAIT_SECONDS) -> str:
        """Wait for an address: a part of it, a glob with `*`, `re:…` or a compiled expression."""
        return self._portal.call(self._inner.wait_for_url(pattern, timeout=timeout))

    def wait_for_load(self, state: WaitUntil = "load", *, timeout: float = NAVIGATE_SECONDS) -> str:
        """Wait until the document, or the one that is on its way, has come this far; gives its address."""
        return self._portal.call(self._inner.wait_for_load(state, timeout=timeout))

    def wait_for_network_idle(self, *, idle_seconds: float = 0.5, timeout: float = NAVIGATE_SECONDS) -> None:
        """Wait until no request has been on its way for a while."""
        self._portal.call(self._inner.wait_for_network_idle(idle_seconds=idle_seconds, timeout=timeout))

    def wait_for_request(
        self,
        pattern: UrlPattern,
        *,
        method: str | None = None,
        since: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Request:
        """Wait for a request made since the last action began, or since a mark."""
        return self._portal.call(
            self._inner.wait_for_request(pattern, method=method, since=since, timeout=timeout)
        )

    def wait_for_response(
        self,
        pattern: UrlPattern,
        *,
        method: str | None = None,
        status: int | None = None,
        since: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Request:
        """Wait for the whole response to a request made since the last action began, or since a mark."""
        return self._portal.call(
            self._inner.wait_for_response(pattern, method=method, status=status, since=since, timeout=timeout)
        )

    def wait_for_download(
        self, folder: str | Path | None = None, *, since: int | None = None, timeout: float = 60.0
    ) -> Download:
        """The first download that nobody took yet, also one that is over; without a folder it goes with the browser."""
        return self._portal.call(self._inner.wait_for_download(folder, since=since, timeout=timeout))

    def cancel_downloads(self, *, timeout: float = READ_SECONDS) -> int:
        """Stop the downloads that are on their way; gives their number."""
        return self._portal.call(self._inner.cancel_downloads(timeout=timeout))

    def wait_for_dialog(self, *, since: int | None = None, timeout: float = WAIT_SECONDS) -> Dialog:
        """The dialog that waits for an answer, or the first one since the last action began."""
        return self._portal.call(self._inner.wait_for_dialog(since=since, timeout=timeout))

    def wait_for_tab(self, *, since: int | None = None, timeout: float = WAIT_SECONDS) -> Tab:
        """The tab that a page of this one opened since the last action began."""
        return Tab(self._portal, self._portal.call(self._inner.wait_for_tab(since=since, timeout=timeout)))

    def wait_for_function(self, script: str, *arguments: Any, timeout: float = WAIT_SECONDS) -> Any:
        """Wait until a script's value is true, and give that value; what it throws until then is not an error."""
        return self._portal.call(self._inner.wait_for_function(script, *arguments, timeout=timeout))

    def wait(self, seconds: float) -> None:
        """Let time pass. Waiting for something by its name is nearly always better."""
        self._portal.call(self._inner.wait(seconds))

    def set_dialog_policy(self, policy: DialogPolicy | None) -> None:
        """`accept`, `dismiss` or `hold` all dialogs; None accepts alerts and holds the rest. Leaving a page is never held."""
        self._portal.call(self._inner.set_dialog_policy(policy))

    def set_credentials(self, user: str | None, password: str = "", *, timeout: float = READ_SECONDS) -> None:
        """What to answer servers that ask for a user name and a password; None stops that."""
        self._portal.call(self._inner.set_credentials(user, password, timeout=timeout))

    def grant(self, *permissions: str, origin: str | None = None, timeout: float = READ_SECONDS) -> None:
        """Grant permissions such as geolocation, to an origin or to all; everything else is denied."""
        self._portal.call(self._inner.grant(*permissions, origin=origin, timeout=timeout))

    def reset_permissions(self, *, timeout: float = READ_SECONDS) -> None:
        """Take all granted permissions back."""
        self._portal.call(self._inner.reset_permissions(timeout=timeout))

    def console(
        self, *, since: int | None = None, level: Level = "debug", timeout: float = READ_SECONDS
    ) -> list[ConsoleMessage]:
        """Messages of at least a level, with uncaught errors. On pages of other machines, asking turns it on."""
        return self._portal.call(self._inner.console(since=since, level=level, timeout=timeout))

    def errors(self, *, since: int | None = None, timeout: float = READ_SECONDS) -> list[ConsoleMessage]:
        """Uncaught errors of the page, and what it reported as errors."""
        return self._portal.call(self._inner.errors(since=since, timeout=timeout))

    def requests(
        self,
        pattern: UrlPattern | None = None,
        *,
        since: int | None = None,
        method: str | None = None,
        failed: bool | None = None,
    ) -> list[Request]:
        """The latest requests, oldest first; `failed=True` gives those that somebody should look at."""
        return self._portal.call(self._inner.requests(pattern, since=since, method=method, failed=failed))

    def response_body(
        self, request: Request | int, *, limit: int = BODY_LIMIT, timeout: float = READ_SECONDS
    ) -> Body:
        """The body of a response from the log."""
        return self._portal.call(self._inner.response_body(request, limit=limit, timeout=timeout))

    def upload(
        self, target: str, *paths: str | Path, nth: int | None = None, timeout: float = WAIT_SECONDS
    ) -> Uploaded:
        """Give files to a file input, to what opens a file chooser, or to a place that takes dropped files."""
        return self._portal.call(self._inner.upload(target, *paths, nth=nth, timeout=timeout))

    def answer_file_chooser(self, *paths: str | Path, timeout: float = WAIT_SECONDS) -> Uploaded:
        """Give files to the chooser that the page has opened."""
        return self._portal.call(self._inner.answer_file_chooser(*paths, timeout=timeout))

    def cookies(self, *urls: str, timeout: float = READ_SECONDS) -> list[dict[str, Any]]:
        """Cookies of the tab's context, or those that would be sent to these addresses."""
        return self._portal.call(self._inner.cookies(*urls, timeout=timeout))

    def set_cookies(self, *cookies: Mapping[str, Any], timeout: float = READ_SECONDS) -> None:
        """Set cookies; without a domain or an address they belong to the present page."""
        self._portal.call(self._inner.set_cookies(*cookies, timeout=timeout))

    def clear_cookies(self, name: str | None = None, *, timeout: float = READ_SECONDS) -> int:
        """Delete the cookies of the tab's context, or those of one name; gives their number."""
        return self._portal.call(self._inner.clear_cookies(name, timeout=timeout))

    def storage(self, area: Area = "local", *, timeout: float = READ_SECONDS) -> dict[str, str]:
        """The items of the page's local or session storage."""
        return self._portal.call(self._inner.storage(area, timeout=timeout))

    def set_storage(
        self, items: Mapping[str, str], *, area: Area = "local", timeout: float = READ_SECONDS
    ) -> None:
        """Set items of the page's local or session storage."""
        self._portal.call(self._inner.set_storage(items, area=area, timeout=timeout))

    def clear_storage(self, *names: str, area: Area = "local", timeout: float = READ_SECONDS) -> None:
        """Remove items of the page's local or session storage; all when none is named."""
        self._portal.call(self._inner.clear_storage(*names, area=area, timeout=timeout))

    def save_state(self, path: str | Path, *, timeout: float = WAIT_SECONDS) -> SavedState:
        """Write cookies and storage to a file that only its owner can read; Playwright understands it."""
        return self._portal.call(self._inner.save_state(path, timeout=timeout))

    def load_state(self, path: str | Path, *, timeout: float = WAIT_SECONDS) -> SavedState:
        """Set cookies and storage from a file; in browsers of others, only origins that the tab shows."""
        return self._portal.call(self._inner.load_state(path, timeout=timeout))

    def emulate(
        self,
        *,
        device: str | NotGiven | None = NOT_GIVEN,
        viewport: Viewport | NotGiven | None = NOT_GIVEN,
        user_agent: str | NotGiven | None = NOT_GIVEN,
        geolocation: Place | NotGiven | None = NOT_GIVEN,
        locale: str | NotGiven | None = NOT_GIVEN,
        timezone: str | NotGiven | None = NOT_GIVEN,
        color_scheme: ColorScheme | NotGiven | None = NOT_GIVEN,
        reduced_motion: Motion | NotGiven | None = NOT_GIVEN,
        offline: bool | NotGiven | None = NOT_GIVEN,
        headers: Mapping[str, str] | NotGiven | None = NOT_GIVEN,
        timeout: float = READ_SECONDS,
    ) -> Settings:
        """Change what pages find: screen, place, language, taste, network. None puts the real thing back."""
        return self._portal.call(
            self._inner.emulate(
                device=device,
                viewport=viewport,
                user_agent=user_agent,
                geolocation=geolocation,
                locale=locale,
                timezone=timezone,
                color_scheme=color_scheme,
                reduced_motion=reduced_motion,
                offline=offline,
                headers=headers,
                timeout=timeout,
            )
        )

    def pdf(
        self,
        path: str | Path | None = None,
        *,
        format: str = "a4",
        landscape: bool = False,
        background: bool = True,
        scale: float = 1.0,
        margin_mm: float = 10.0,
        pages: str = "",
        timeout: float = WAIT_SECONDS,
    ) -> Pdf:
        """Print the page; a tab that shows a PDF gives that file instead."""
        return self._portal.call(
            self._inner.pdf(
                path,
                format=format,
                landscape=landscape,
                background=background,
                scale=scale,
                margin_mm=margin_mm,
                pages=pages,
                timeout=timeout,
            )
        )

"""The console of a tab: messages and uncaught errors in a ring buffer; listening is enabled only where allowed."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from boathook.cdp.replies import ignore_reply
from boathook.clock import now
from boathook.engine.events.event_log import EventLog, RingBuffer
from boathook.engine.hosts.urls import without_credentials
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    import asyncio

    from boathook.cdp.cdp_session import CdpSession

Level = Literal["debug", "log", "info", "warning", "error"]
Source = Literal["console", "exception", "browser"]

LONGEST_TEXT = 16_384
LONGEST_ARGUMENT = 8_192
MOST_FRAMES = 10
FLOOD_MESSAGES = 5_000
FLOOD_SECONDS = 2.0
"""A page that logs more than this in this time is ignored until the next navigation: it would slow down every call."""
_LEVELS: dict[str, Level] = {
    "debug": "debug",
    "verbose": "debug",
    "info": "info",
    "warning": "warning",
    "error": "error",
    "assert": "error",
    "trace": "debug",
}
_NOT_OURS = frozenset({"network", "violation", "javascript"})
"""Sources of the browser's log that the network log covers better, or that are noise."""
_LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".test", ".home.arpa")


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class StackFrame:
    """One frame of the stack of a message; line and column are counted from one."""

    function: str
    url: str
    line: int
    column: int


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleMessage:
    """One message of the console, or an uncaught error of the page."""

    number: int
    level: Level
    source: Source
    text: str
    url: str = ""
    line: int = 0
    at: float = 0.0
    """Seconds since 1970."""
    stack: tuple[StackFrame, ...] = ()
    """The innermost call first."""


class Console:
    """The console of the pages of one tab; listening needs `Runtime.enable`, which pages can notice.

    So it is enabled automatically only for local pages and private networks, and elsewhere from the first request on.
    Chromium keeps earlier messages, so even then none is missed.
    """

    def __init__(self, event_log: EventLog) -> None:
        self.messages: RingBuffer[ConsoleMessage] = RingBuffer(event_log)
        self.told = 0
        """The mark up to which messages have been read."""
        self._sessions: dict[str, CdpSession] = {}
        self._listening: set[str] = set()
        self.unasked = True
        """Whether local pages are listened to automatically; not under stealth `full`."""
        self._asked = False
        self._local = False
        self._elsewhere = False
        self._flooded = False
        self._counted, self._counted_from = 0, 0.0

    def watch(self, session: CdpSession, *, main: bool) -> None:
        """Listen on a session, as soon as that is allowed."""
        if main:
            self._sessions.clear()
            self._listening.clear()
            session.on("Page.frameNavigated", self._on_navigated)
        self._sessions[session.id] = session
        session.on("Runtime.consoleAPICalled", self._on_message)
        session.on("Runtime.exceptionThrown", self._on_exception)
        session.on("Log.entryAdded", self._on_entry)
        self._adjust()

    def expect(self, url: str) -> None:
        """The tab is about to navigate: listen before the first message, or stop before the page could notice."""
        coming = is_local(url)
        if coming and self._elsewhere:
            return  # the page that is being left must not notice either
        self._local = coming
        self._adjust()

    async def listen(self) -> None:
        """Listen from now on, regardless of the page's origin; earlier messages are read as well."""
        self._asked = True
        for reply in self._adjust():
            await reply

    def mark(self) -> int:
        """A mark: later entries are new."""
        return self.messages.mark()

    def errors_since(self, mark: int) -> list[ConsoleMessage]:
        """Uncaught errors and messages of level error after a mark."""
        return [message for message in self.messages.since(mark) if message.level == "error"]

    def _on_navigated(self, params: dict[str, Any]) -> None:
        frame = params["frame"]
        if frame.get("parentId"):
            return
        url = frame.get("url", "")
        self._local = is_local(url)
        self._elsewhere = not self._local and url.startswith("http")
        self._flooded, self._counted = False, 0
        self._adjust()

    def _adjust(self) -> list[asyncio.Future[dict[str, Any]]]:
        wanted = (self._asked or (self._local and self.unasked)) and not self._flooded
        replies = []
        for session in self._sessions.values():
            if wanted == (session.id in self._listening):
                continue
            verb = "enable" if wanted else "disable"
            (self._listening.add if wanted else self._listening.discard)(session.id)
            replies += [session.post(f"Runtime.{verb}"), session.post(f"Log.{verb}")]
        for reply in replies:
            ignore_reply(reply)
        return replies

    def _on_message(self, params: dict[str, Any]) -> None:
        self._count()
        if self._flooded:
            return
        frame = _first_frame(params.get("stackTrace"))
        self._keep(
            level=_LEVELS.get(str(params.get("type")), "log"),
            source="console",
            text=" ".join(_format_argument(argument) for argument in params.get("args", ())),
            url=without_credentials(frame.get("url", "")),
            line=int(frame.get("lineNumber", -1)) + 1,
            at=float(params.get("timestamp", 0)) / 1_000,
            stack=_frames(params.get("stackTrace")),
        )

    def _on_exception(self, params: dict[str, Any]) -> None:
        details = params["exceptionDetails"]
        exception = details.get("exception", {})
        self._keep(
            level="error",
            source="exception",
            text=str(exception.get("description") or exception.get("value") or details.get("text", "")),
            url=without_credentials(str(details.get("url", ""))),
            line=int(details.get("lineNumber", -1)) + 1,
            at=float(params.get("timestamp", 0)) / 1_000,
            stack=_frames(details.get("stackTrace")) or _frames({"callFrames": [details]}),
        )

    def _on_entry(self, params: dict[str, Any]) -> None:
        entry = params["entry"]
        if entry.get("source") in _NOT_OURS:
            return
        self._keep(
            level=_LEVELS.get(str(entry.get("level")), "log"),
            source="browser",
            text=str(entry.get("text", "")),
            url=without_credentials(str(entry.get("url", ""))),
            line=int(entry.get("lineNumber", -1)) + 1,
            at=float(entry.get("timestamp", 0)) / 1_000,
        )

    def _count(self) -> None:
        """Stop listening to a flood, and report it."""
        if now() - self._counted_from > FLOOD_SECONDS:
            self._counted, self._counted_from = 0, now()
        self._counted += 1
        if self._counted > FLOOD_MESSAGES and not self._flooded:
            self._flooded = True
            self._adjust()
            text = "the page logs too much: its console is ignored until the next navigation"
            self._keep(level="warning", source="browser", text=text, url="", line=0, at=0.0)

    def _keep(
        self,
        *,
        level: Level,
        source: Source,
        text: str,
        url: str,
        line: int,
        at: float,
        stack: tuple[StackFrame, ...] = (),
    ) -> None:
        number = self.messages.next_number()
        self.messages.add(
            number,
            ConsoleMessage(
                number=number,
                level=level,
                source=source,
                text=text[:LONGEST_TEXT],
                url=url[:2_000],
                line=line,
                at=at,
                stack=stack,
            ),
        )


def is_local(url: str) -> bool:
    """Whether a page comes from this machine or a private network, judged by its URL alone."""
    try:
        host = (urlsplit(url).hostname or "").lower().rstrip(".")
    except ValueError:
        return False
    if host == "localhost" or host.endswith(_LOCAL_ENDINGS):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_private or address.is_loopback or address.is_link_local


def _frames(trace: dict[str, Any] | None) -> tuple[StackFrame, ...]:
    return tuple(
        StackFrame(
            function=str(frame.get("functionName", ""))[:200],
            url=without_credentials(str(frame.get("url", "")))[:2_000],
            line=int(frame.get("lineNumber", -1)) + 1,
            column=int(frame.get("columnNumber", -1)) + 1,
        )
        for frame in ((trace or {}).get("callFrames") or ())[:MOST_FRAMES]
        if frame.get("url")
    )


def call_frames(stack: Any) -> tuple[StackFrame, ...]:
    """The frames of a stack of the protocol, across asynchronous calls."""
    found: list[StackFrame] = []
    while isinstance(stack, dict) and len(found) < MOST_FRAMES:
        found += _frames(stack)
        stack = stack.get("parent")
    return tuple(found[:MOST_FRAMES])


def _first_frame(trace: dict[str, Any] | None) -> dict[str, Any]:
    frames: list[dict[str, Any]] = (trace or {}).get("callFrames") or [{}]
    return frames[0]


def _format_argument(argument: dict[str, Any]) -> str:
    """An argument of console.log as developer tools show it."""
    if argument.get("type") == "string":
        return str(argument.get("value", ""))[:LONGEST_ARGUMENT]
    if "unserializableValue" in argument:
        return str(argument["unserializableValue"])
    if argument.get("type") == "undefined":
        return "undefined"
    if "preview" in argument and argument.get("subtype") != "error":
        return _format_preview(argument["preview"])[:LONGEST_ARGUMENT]
    if "value" in argument:
        value = argument["value"]
        return {True: "true", False: "false", None: "null"}.get(value, str(value))[:LONGEST_ARGUMENT]
    return str(argument.get("description", argument.get("type", "")))[:LONGEST_ARGUMENT]


def _format_preview(preview: dict[str, Any]) -> str:
    items = []
    for part in preview.get("properties", ()):
        value = part.get("value", part.get("type", ""))
        shown = f'"{value}"' if part.get("type") == "string" else str(value)
        items.append(shown if preview.get("subtype") == "array" else f"{part.get('name')}: {shown}")
    more = ", …" if preview.get("overflow") else ""
    inside = ", ".join(items) + more
    return f"[{inside}]" if preview.get("subtype") == "array" else f"{{{inside}}}"

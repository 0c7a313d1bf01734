"""Dialogs: detect them, answer or hold them by the tab's policy, and suppress those of a page that keeps opening them."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from boathook.cdp.errors_map import NavigationInProgress
from boathook.cdp.replies import ignore_reply
from boathook.clock import now
from boathook.engine.events.event_log import RingBuffer
from boathook.engine.hosts.urls import without_credentials
from boathook.engine.page.navigation import ABORTED
from boathook.errors import BadRequest, BadSetting, DialogOpen, NavigationFailed
from boathook.redaction.safe_repr import safe_repr
from boathook.values import cut_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.events.event_log import EventLog

T = TypeVar("T")
_numbers = itertools.count(1)  # of all tabs: one that is attached again does not start over
DialogPolicy = Literal["accept", "dismiss", "hold"]

ANSWERED_KEPT = 20
DIALOG_CHARACTERS = 2_000
"""What is kept of each text of a dialog."""
STORM_DIALOGS = 5
STORM_SECONDS = 2.0
"""More than this many dialogs in this time are a dialog storm."""
NAVIGATION_TRIES = 3
DRAIN_SECONDS = 2.0
"""How long a loop of dialogs may continue after it was suppressed before its renderer is terminated."""

# Only tasks that start later see it: a loop that is running holds the page's thread until it ends.
_SILENCE = """(() => {
  const silence = view => {
    try {
      view.alert = () => undefined; view.confirm = () => false; view.prompt = () => null;
      for (let i = 0; i < view.length; i++) silence(view[i]);
    } catch { /* a frame of another site */ }
  };
  silence(window);
})()"""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Dialog:
    """A JavaScript dialog; `answer` is empty while it is held."""

    kind: str
    message: str
    default_text: str = ""
    url: str = ""
    answer: str = ""


class Dialogs:
    """The dialogs of one tab."""

    def __init__(self, event_log: EventLog) -> None:
        self.pending: Dialog | None = None
        self.pending_number = 0
        """Which dialog was held last: two with the same text have different numbers."""
        self.answered: list[Dialog] = []
        self.all: RingBuffer[Dialog] = RingBuffer(event_log, limit=100)
        self.policy: DialogPolicy | None = None
        self.muted = 0
        """Dialogs of the current page that were suppressed, because there were too many."""
        self.on_held: Callable[[], None] = lambda: None
        """Called when a dialog is held."""
        self.on_storm: Callable[[str], None] = lambda _news: None
        self.give_up: Callable[[], None] | None = None
        """Stops a page whose loop of dialogs does not end."""
        self._session: CdpSession | None = None
        self._opening = asyncio.Event()
        self._times: deque[float] = deque(maxlen=STORM_DIALOGS + 1)
        self._silenced_at: float | None = None
        self._stuck = asyncio.Event()
        self.count = 0
        """Dialogs that pages have opened so far, without beforeunload dialogs."""

    def watch(self, session: CdpSession, *, main: bool) -> None:
        """Listen on a session; a dialog is answered on the session that opened it."""
        if main:
            self._calm()
        session.on("Page.javascriptDialogOpening", lambda params: self._on_opened(session, params))
        session.on("Page.javascriptDialogClosed", lambda _params: self._on_closed())
        session.on("Page.frameNavigated", self._on_navigated)

    def require_none(self, error: type[DialogOpen] = DialogOpen) -> None:
        """Raise if a dialog is pending, because nothing else can run in the page then."""
        if self.pending is not None:
            raise error(
                f"a {self.pending.kind} dialog is open: {self.pending.message[:200]!r}",
                kind=self.pending.kind,
                text=self.pending.message,
            )

    async def set_policy(self, policy: DialogPolicy | None) -> None:
        """Set the policy for dialogs; a pending one is answered accordingly. None is the default."""
        if policy is not None and policy not in get_args(DialogPolicy):
            raise BadSetting(
                f"invalid dialog policy: {policy!r}",
                hint="use accept, dismiss or hold",
            )
        self.policy = policy
        if self.pending is not None and policy in {"accept", "dismiss"}:
            await self.answer(accept=policy == "accept")

    async def answer(self, *, accept: bool, text: str = "") -> Dialog:
        """Answer the pending dialog."""
        dialog, session = self.pending, self._session
        if dialog is None or session is None:
            raise BadRequest("no dialog is open", hint="alert dialogs are answered automatically")
        await session.send("Page.handleJavaScriptDialog", accept=accept, promptText=text)
        # The page may have opened its next dialog before the browser replied.
        if self.pending is dialog:
            self._on_closed()
        return replace(dialog, answer="accepted" if accept else "dismissed")

    async def wait_for_dialog(self) -> None:
        """Wait until a dialog is held."""
        await self._opening.wait()

    async def unless_held(self, work: Awaitable[T], error: type[DialogOpen] = DialogOpen) -> T:
        """The result of work in the page; an error as soon as a dialog is held, since the page does not respond then."""
        doing, held = asyncio.ensure_future(work), asyncio.ensure_future(self.wait_for_dialog())
        try:
            await asyncio.wait({doing, held}, return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                self.require_none(error)
            return await doing
        finally:
            for task in (doing, held):
                task.cancel()
            await asyncio.gather(doing, held, return_exceptions=True)

    def _on_opened(self, session: CdpSession, params: dict[str, Any]) -> None:
        kind = str(params.get("type", ""))
        self.count += kind != "beforeunload"
        if self._is_storm(kind):
            self._mute(session)
            return
        answer = self._answer_for(kind)
        dialog = Dialog(
            kind=kind,
            message=cut_text(str(params.get("message", "")), DIALOG_CHARACTERS),
            default_text=cut_text(str(params.get("defaultPrompt", "")), DIALOG_CHARACTERS),
            url=cut_text(without_credentials(str(params.get("url", ""))), DIALOG_CHARACTERS),
            answer=answer,
        )
        if answer:
            self.answered = [*self.answered[1 - ANSWERED_KEPT :], dialog]
            self._answer(session, accept=answer == "accepted")
        else:
            self.pending, self._session = dialog, session
            self.pending_number = next(_numbers)
            self._opening.set()
            self.on_held()
        self.all.add(self.all.next_number(), dialog)

    def _answer_for(self, kind: str) -> str:
        # A page must never be able to keep the tab, so leaving it is always allowed.
        if kind == "beforeunload" or self.policy == "accept":
            return "accepted"
        if self.policy == "dismiss":
            return "dismissed"
        return "accepted" if kind == "alert" and self.policy is None else ""

    def _is_storm(self, kind: str) -> bool:
        if kind == "beforeunload":
            return False
        self._times.append(now())
        many = len(self._times) > STORM_DIALOGS and self._times[-1] - self._times[0] < STORM_SECONDS
        return many or self._silenced_at is not None

    def _mute(self, session: CdpSession) -> None:
        """Dismiss silently; later tasks cannot open dialogs, and a loop that continues is stopped."""
        self.muted += 1
        if self._silenced_at is None:
            self._silenced_at = now()
            ignore_reply(session.post("Runtime.evaluate", expression=_SILENCE))
            self.on_storm("the page keeps opening dialogs; they are suppressed until the next navigation")
        elif now() - self._silenced_at > DRAIN_SECONDS and self.give_up is not None and self._times:
            self._times.clear()
            self.give_up()
            self.on_storm(
                f"the page kept opening dialogs ({self.muted} were suppressed); its script was stopped"
            )
        self._answer(session, accept=False)
        self.all.next_number()

    def _answer(self, session: CdpSession, *, accept: bool) -> None:
        stuck = self._stuck  # of the current attempt; the reply may arrive during the next

        def look(reply: asyncio.Future[dict[str, Any]]) -> None:
            if not reply.cancelled() and isinstance(reply.exception(), NavigationInProgress):
                stuck.set()

        session.post("Page.handleJavaScriptDialog", accept=accept).add_done_callback(look)

    async def navigate_past(self, navigate: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Navigate, once more if a dialog of the old page opened while the browser was between the pages.

        Such a dialog cannot be answered, and blocks the new page; only a new navigation closes it.
        Guarded by test_a_page_that_opens_dialogs_all_the_time_can_be_left.
        """
        seen = self.count  # of all attempts: one of ours may also replace the previous one
        for _ in range(NAVIGATION_TRIES):
            self._stuck = asyncio.Event()
            going = asyncio.ensure_future(navigate())
            stuck = asyncio.ensure_future(self._stuck.wait())
            try:
                await asyncio.wait({going, stuck}, return_when=asyncio.FIRST_COMPLETED)
                if going.done() and not self._is_lost_to_dialogs(going, seen):
                    return going.result()
            finally:
                for task in (going, stuck):
                    task.cancel()
                await asyncio.gather(going, stuck, return_exceptions=True)
        return await navigate()

    def _is_lost_to_dialogs(self, going: asyncio.Future[None], seen: int) -> bool:
        """Whether a dialog that opened meanwhile has aborted the navigation."""
        error = going.exception()
        aborted = isinstance(error, NavigationFailed) and error.evidence.get("network_error") == ABORTED
        return aborted and self.count > seen

    def _on_navigated(self, params: dict[str, Any]) -> None:
        if not params["frame"].get("parentId"):
            self._calm()

    def _calm(self) -> None:
        """A new page: the state of the old one is dropped, and its dialog with it."""
        self._silenced_at, self.muted = None, 0
        self._times.clear()
        self._on_closed()

    def _on_closed(self) -> None:
        self.pending, self._session = None, None
        self._opening.clear()
        self.all.next_number()

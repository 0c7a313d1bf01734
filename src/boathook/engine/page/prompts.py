"""Questions that a browser would ask a person: files, passwords of servers, permissions. None of them blocks a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import forgotten
from boathook.engine.events.event_log import Happenings, Ring
from boathook.errors import BadRequest, BadSetting, ProtocolError, Unsupported

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.cdp.session import Session
    from boathook.engine.network.routing.interception import Interception
    from boathook.engine.tab import Tab

PERMISSIONS: dict[str, str] = {
    "accelerometer": "sensors",
    "background-sync": "backgroundSync",
    "camera": "videoCapture",
    "clipboard-read": "clipboardReadWrite",
    "clipboard-write": "clipboardSanitizedWrite",
    "geolocation": "geolocation",
    "local-fonts": "localFonts",
    "microphone": "audioCapture",
    "midi": "midi",
    "notifications": "notifications",
    "payment-handler": "paymentHandler",
    "persistent-storage": "durableStorage",
    "storage-access": "storageAccess",
    "window-management": "windowManagement",
}
"""The names that the web uses, and Chromium's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """A file chooser that a page opened; it waits until files are given."""

    multiple: bool
    frame_id: str
    session: Session
    node: int
    """Chromium's number of the file input behind it; 0 when there is none."""


class Choosers:
    """File choosers of a tab: none is ever shown, the latest one is held."""

    def __init__(self, happenings: Happenings) -> None:
        self.all: Ring[Chooser] = Ring(happenings, limit=20)
        self.pending: Chooser | None = None

    def watch(self, session: Session, *, intercept: bool) -> None:
        """Listen on a session; in tabs of our own choosers are always kept from opening."""
        session.on("Page.fileChooserOpened", lambda params: self._opened(session, params))
        session.on("Page.frameNavigated", self._on_navigated)
        if intercept:
            forgotten(session.post("Page.setInterceptFileChooserDialog", enabled=True))

    def _opened(self, session: Session, params: dict[str, Any]) -> None:
        chooser = Chooser(
            multiple=params.get("mode") == "selectMultiple",
            frame_id=str(params.get("frameId", "")),
            session=session,
            node=int(params.get("backendNodeId", 0)),
        )
        self.pending = chooser
        self.all.add(self.all.tick(), chooser)

    def _on_navigated(self, params: dict[str, Any]) -> None:
        if not params["frame"].get("parentId"):
            self.pending = None


class Credentials:
    """User name and password for servers that ask; requests are intercepted only while there are some."""

    def __init__(self, interception: Interception) -> None:
        self._interception = interception
        self._given: tuple[str, str] | None = None
        self._tried: set[str] = set()

    async def set(self, user: str | None, password: str = "") -> None:
        """Answer with these from now on; None stops that."""
        if user is not None and (not isinstance(user, str) or ":" in user):
            raise BadSetting("a user name has no colon in it")
        self._given = None if user is None else (user, password)
        self._tried.clear()
        self._interception.answer_question = None if user is None else self._on_question
        await self._interception.refresh()

    def _on_question(self, session: Session, params: dict[str, Any]) -> None:
        """Answer once; a server that asks again did not like the answer, and the page gets its 401."""
        request = str(params["requestId"])
        answer: dict[str, str] = {"response": "CancelAuth"}
        if self._given is not None and request not in self._tried:
            self._tried.add(request)
            user, password = self._given
            answer = {"response": "ProvideCredentials", "username": user, "password": password}
        forgotten(session.post("Fetch.continueWithAuth", requestId=request, authChallengeResponse=answer))


async def set_permissions(
    tab: Tab, names: Sequence[str] | None, *, origin: str | None, context: str | None
) -> None:
    """Grant these permissions, and no others, to an origin (or to all); None goes back to asking nobody: denied."""
    where: dict[str, Any] = {"browserContextId": context} if context else {}
    connection = tab.session.connection
    if names is None:
        await connection.send("Browser.resetPermissions", where)
        return
    unknown = [name for name in names if name not in PERMISSIONS]
    if unknown:
        raise BadRequest(
            f"{unknown[0]!r} is not a permission that can be granted", hint=f"use {', '.join(PERMISSIONS)}"
        )
    if origin:
        where["origin"] = origin
    try:
        await connection.send(
            "Browser.grantPermissions", {**where, "permissions": [PERMISSIONS[name] for name in names]}
        )
    except ProtocolError as error:
        raise Unsupported(f"this browser did not grant {', '.join(names)}: {error.text}") from error

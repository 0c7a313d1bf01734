"""Records of sessions on disk: after a daemon crashes, the next one can report what was lost."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boathook.engine.launch import posix
from boathook.errors import BoathookError
from boathook.private_files import private_folder
from boathook.redaction.redactor import Redactor
from boathook.service.daemon.record_files import read_record, remove_record, write_record

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.service.sessions.session import Session

SCHEMA = 1
MOST_TABS = 50
SHOWN_ADDRESS = 500
FORGOTTEN_SECONDS = 30 * 86_400
"""After this time a lost session is not reported."""


class SessionRecords:
    """One small file per session, written when its tabs have changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: dict[str, dict[str, Any]] = {}
        self._lost_limits: dict[str, dict[str, Any]] = {}
        self._owner = {"pid": os.getpid(), "start_time": posix.start_time(os.getpid())}
        self.lost = self._read_records()
        """Tabs of sessions that were running when the last daemon exited without closing them."""

    def keep(self, session: Session) -> None:
        """Record the session's tabs; a full disk does not fail the call."""
        # The session's secrets will not be known when this is reported.
        clean = Redactor(session.secrets).text
        tabs = [clean(tab.url)[:SHOWN_ADDRESS] for tab in session.tabs[:MOST_TABS]]
        record = {"tabs": tabs, "limits": dict(session.limits), "daemon": self._owner}
        if self._written.get(session.name) == record:
            return
        with suppress(OSError, BoathookError):
            with private_folder(self._folder):
                write_record(self._path(session.name), record, schema=SCHEMA, durable=False)
            self._written[session.name] = record

    def forget(self, name: str) -> None:
        """The session was closed properly."""
        self._written.pop(name, None)
        with suppress(OSError):
            remove_record(self._path(name))

    def lost_limits(self, name: str) -> dict[str, Any]:
        """The restrictions of a session of this name that was lost with the last daemon."""
        return self._lost_limits.get(name, {})

    def take_lost(self, name: str) -> str:
        """The note about a session of this name that was lost with the last daemon; returned once."""
        tabs = self.lost.pop(name, None)
        self._lost_limits.pop(name, None)
        if tabs is None:
            return ""
        shown = ", ".join(tabs[:3]) + (" …" if len(tabs) > 3 else "")  # noqa: PLR2004 - enough to recognise it
        return f"the daemon exited without closing this session; its tabs and cookies were lost: {shown or 'none open'}"

    def _read_records(self) -> dict[str, list[str]]:
        """The records of the last daemon. The files stay until their session is used: we may be killed before reporting."""
        found: dict[str, list[str]] = {}
        with suppress(OSError):
            for part in self._folder.glob(".*.json.*"):  # a write that was killed
                part.unlink(missing_ok=True)
            for path in self._folder.glob("*.json"):
                if time.time() - path.stat().st_mtime > FORGOTTEN_SECONDS:
                    remove_record(path)
                    continue
                data: dict[str, Any] = read_record(path, schema=SCHEMA).data or {}
                if self._is_of_another_daemon(data.get("daemon")):
                    continue
                found[path.stem] = [str(url) for url in data.get("tabs", ())]
                self._lost_limits[path.stem] = dict(data.get("limits") or {})
        return found

    def _is_of_another_daemon(self, owner: Any) -> bool:
        """Whether the daemon that wrote a record is running: one with another runtime folder has the same home."""
        if not isinstance(owner, dict) or not isinstance(owner.get("pid"), int) or owner == self._owner:
            return False
        same = owner.get("start_time") is not None and posix.start_time(owner["pid"]) == owner["start_time"]
        return same and posix.is_alive(owner["pid"])

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"

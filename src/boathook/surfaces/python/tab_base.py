"""The part of the public Tab that is not generated from commands: properties that need no page access."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from boathook.redaction.redactor import Redactor
from boathook.redaction.safe_repr import short_repr

if TYPE_CHECKING:
    from collections.abc import Generator

    from boathook.commands.results import ScriptResult
    from boathook.engine.page.dialogs import Dialog
    from boathook.engine.tab import Tab as EngineTab


class Url(str):
    """A URL; `await tab.url` and `await tab.url()`, as in scripts, give it too."""

    __slots__ = ()

    def __call__(self) -> Url:
        """Itself."""
        return self

    def __await__(self) -> Generator[None, None, str]:
        """Itself, at once."""
        yield from ()
        return str(self)


class TabBase:
    """One page, with a stable id."""

    def __init__(self, engine: EngineTab) -> None:
        self._engine = engine
        engine.redactor = lambda: Redactor(engine.browser.confided)

    def __repr__(self) -> str:
        return short_repr(f"<Tab {self.id} {self.state} {self.url}>")

    @property
    def id(self) -> str:
        """`t1`, `t2`, …: never reused for another tab."""
        return self._engine.id

    @property
    def label(self) -> str:
        """The label that the tab was opened with."""
        return self._engine.label

    @property
    def url(self) -> str:
        """The current URL."""
        return Url(self._engine.url)

    @property
    def state(self) -> str:
        """`ready`, `recovering`, `crashed`, `dead` or `closed`."""
        return self._engine.state

    @property
    def opener(self) -> str:
        """The id of the tab that opened this one as a popup; empty if there is none."""
        return self._engine.opener.id if self._engine.opener is not None else ""

    @property
    def dialog(self) -> Dialog | None:
        """The open JavaScript dialog."""
        return self._engine.dialogs.pending

    @property
    def mark(self) -> int:
        """The current mark, for the `since` of waits and logs."""
        return self._engine.event_log.now

    async def run(
        self,
        code: str,
        *,
        language: Literal["python", "js", "js-page"] = "python",
        engine: Literal["safe", "jail", "unsafe"] = "jail",
        timeout: float = 30.0,
    ) -> ScriptResult:
        """Run a script in a separate process, with `tab`, `display`, `state` and the rest in scope.

        The result has the displayed and returned values; `state` is kept for the next run on this tab. `js` is run by
        Node.js, `js-page` in the page itself.
        """
        from boathook.surfaces.python.scripting import run_beside  # noqa: PLC0415 (few need it)

        return await run_beside(self._engine, code, language=language, engine=engine, seconds=timeout)

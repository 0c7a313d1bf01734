"""Scripts beside a tab of the library's own: the same jail and helpers, without a daemon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, finalize

from boathook.commands import catalogue
from boathook.registry.registry import Scope
from boathook.service.input.argument_types import call_command, checked
from boathook.service.scripts.script_runner import ScriptDesk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.commands.program.scripts import Engine, Language
    from boathook.commands.results import Ran
    from boathook.engine.browser import Browser
    from boathook.engine.tab import Tab


async def run_beside(tab: Tab, code: str, *, language: Language, engine: Engine, seconds: float) -> Ran:
    """Run code beside a tab; its helpers are commands, called directly."""
    commands = catalogue()

    async def run_command(name: str, arguments: Mapping[str, Any]) -> Any:
        command = commands[name]
        subject = tab.browser if command.scope is Scope.BROWSER else tab
        whole = checked(command, arguments)
        for path in (*command.reads_files, *command.writes_files):
            if isinstance(whole.get(path), str):
                whole[path] = Path(whole[path])
        return await call_command(command, subject, whole)

    return await _desk(tab.browser).run(
        tab,
        code,
        language=language,
        engine=engine,
        seconds=seconds,
        roots=(),
        run_command=run_command,
        folder=str(Path.cwd()),
    )


_desks: WeakKeyDictionary[Browser, ScriptDesk] = WeakKeyDictionary()


def close_desk(browser: Browser) -> None:
    """End the processes that were kept ready for scripts beside tabs of a browser."""
    desk = _desks.pop(browser, None)
    if desk is not None:
        desk.close()


def _desk(browser: Browser) -> ScriptDesk:
    """The desk of a browser; it is closed with it."""
    if browser not in _desks:
        _desks[browser] = ScriptDesk()
        # One that is never closed takes its desk along when it is forgotten.
        finalize(browser, _desks[browser].nursery.close)
    return _desks[browser]

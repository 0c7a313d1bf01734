"""Scripts in the Python library: the same jail and helpers, without a daemon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, finalize

from boathook.commands import catalogue
from boathook.registry.invoke import call_command
from boathook.registry.registry import Scope
from boathook.service.input.argument_types import bind_arguments
from boathook.service.scripts.script_files import FileRules
from boathook.service.scripts.script_runner import ScriptRunner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.commands.program.scripts import Engine, Language
    from boathook.commands.results import ScriptResult
    from boathook.engine.browser import Browser
    from boathook.engine.tab import Tab
    from boathook.service.scripts.script_files import ScriptFiles


async def run_beside(
    tab: Tab, code: str, *, language: Language, engine: Engine, seconds: float
) -> ScriptResult:
    """Run a script with a tab; its helpers are commands, called directly."""
    commands, folder = catalogue(), Path.cwd()

    async def run_command(name: str, arguments: Mapping[str, Any], files: ScriptFiles | None, on: Tab) -> Any:
        command = commands[name]
        subject = tab.browser if command.scope is Scope.BROWSER else on
        whole = bind_arguments(command, arguments)
        for path in (*command.reads_files, *command.writes_files):
            if isinstance(whole.get(path), str):
                whole[path] = Path(whole[path])
        if files is not None and tab.browser.upload_roots is not None:
            on.upload_roots = files.readable  # with the scratch folder
        return await call_command(command, subject, whole)

    try:
        return await _script_runner(tab.browser).run(
            tab,
            code,
            language=language,
            engine=engine,
            seconds=seconds,
            files=FileRules(folder=folder, usual=(folder,), upload_roots=tab.browser.upload_roots),
            run_command=run_command,
            find_tab=tab.browser.use_tab,
            folder=str(folder),
        )
    finally:
        tab.upload_roots = None


_desks: WeakKeyDictionary[Browser, ScriptRunner] = WeakKeyDictionary()


def close_script_runner(browser: Browser) -> None:
    """Stop the script processes of a browser."""
    script_runner = _desks.pop(browser, None)
    if script_runner is not None:
        script_runner.close()


def _script_runner(browser: Browser) -> ScriptRunner:
    """The script runner of a browser; it is closed with the browser."""
    if browser not in _desks:
        _desks[browser] = ScriptRunner()
        # One that is never closed takes its desk along when it is forgotten.
        finalize(browser, _desks[browser].fork_server.close)
    return _desks[browser]

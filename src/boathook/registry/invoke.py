"""Invoke: the one way to run a command's handler, from the runner and from Python methods alike.

The facts of a command say what its call needs: how long it may take, whether a dialog may be open, whether it acts. So a
stale ref, an open dialog and a timeout fail the same way on every surface.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any, TypeVar

from boathook.effects import Effect
from boathook.engine.elements.locate import require_known_ref
from boathook.errors import BadSetting, FileFailed, LimitReached
from boathook.registry.registry import command_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from boathook.engine.tab import Tab
    from boathook.registry.registry import Command

Result = TypeVar("Result")
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})
"""Too many open files, too little memory, too many processes."""


async def invoke(
    handler: Callable[..., Awaitable[Result]], subject: Any, /, *given: Any, **named: Any
) -> Result:
    """Run the handler of a command on a tab, browser or host, with arguments as its signature takes them."""
    made: Result = await run_handler(command_of(handler), subject, given, named)
    return made


async def run_handler(
    command: Command, subject: Any, given: tuple[Any, ...], named: Mapping[str, Any]
) -> Any:
    """The same for a command of the registry."""
    _require_in_bounds(command, given, named)
    try:
        if not command.doing:
            return await command.run(subject, *given, **named)
        return await _run_in_call(command, subject, given, dict(named))
    except OSError as error:
        if error.errno is None:  # such as a TimeoutError, which is none of the system's
            raise
        raise file_error(error) from error


def _require_in_bounds(command: Command, given: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    """BadSetting for a value that is not a number, or outside its range: command lines and tools are checked before, Python methods are not."""
    if not command.bounded:
        return
    values = _by_name(command, given, named)
    for parameter in command.bounded:
        value, bounds = values[parameter.name], parameter.bounds
        if bounds is None or value is None or value is parameter.default:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadSetting(
                f"{command.cli_name}: {parameter.name} must be a number, not {type(value).__name__}",
                parameter=parameter.name,
            )
        if not bounds.least <= value <= bounds.most:
            raise BadSetting(
                f"{command.cli_name}: {parameter.name} must be between {bounds.least:g} and {bounds.most:g}, not {value:g}",
                parameter=parameter.name,
            )


def file_error(error: OSError) -> FileFailed | LimitReached:
    """The typed error for one of the operating system, with the file if it names one."""
    if error.errno in _EXHAUSTED:
        return LimitReached(
            f"a limit of the system is reached: {error.strerror}",
            hint="close sessions or tabs, then try again",
        )
    path = f"{error.filename}: " if error.filename else ""
    return FileFailed(f"a file could not be read or written: {path}{error.strerror}")


async def _run_in_call(command: Command, tab: Tab, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    by_name = _by_name(command, given, named)
    timeout = named.pop("timeout", command.timeout)
    acts = command.effect is Effect.ACTS and command.marks_action
    async with tab.call(
        command.doing.format_map(by_name),
        seconds=command.seconds if timeout is None else timeout,
        needs_page=not command.handles_dialog,
        read_only=not acts,
        waits=command.waits,
    ) as deadline:
        for parameter in command.elements:
            require_known_ref(tab, by_name[parameter.name])
        if command.takes_deadline:
            named["deadline"] = deadline
        return await command.run(tab, *given, **named)


def _by_name(command: Command, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter with its value, defaults included."""
    values = {parameter.name: parameter.default for parameter in command.parameters}
    positional = [parameter.name for parameter in command.parameters if parameter.positional]
    return {**values, **dict(zip(positional, given, strict=False)), **named}


async def call_command(command: Command, subject: Any, arguments: dict[str, Any]) -> Any:
    """Call the handler of a command; a variadic parameter receives the remaining words."""
    left = next((parameter.name for parameter in command.parameters if parameter.variadic), None)
    if left is None or left not in arguments:
        return await run_handler(command, subject, (), arguments)
    before = [
        parameter.name for parameter in command.parameters if parameter.positional and not parameter.variadic
    ]
    named = {name: value for name, value in arguments.items() if name != left and name not in before}
    first = [
        arguments.get(parameter.name, parameter.default)
        for parameter in command.parameters
        if parameter.name in before
    ]
    return await run_handler(command, subject, (*first, *arguments[left]), named)

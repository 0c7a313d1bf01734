"""Command lines: from raw words to a command, its arguments and the settings around it; a mistake never touches a page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook import agent_browser_compat as borrowed
from boathook.durations import meant_time, parse_duration
from boathook.errors import BadRequest, BoathookError, NotSupported
from boathook.service.input.argument_types import from_text, usage_hint
from boathook.service.input.suggestions import (
    NEARER,
    looks_like_target,
    near_words,
    unexpected_words,
    unknown_command,
    unknown_option,
)
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from boathook.registry.registry import Command, Parameter
    from boathook.settings import Setting

LONGEST_NAME = 4
"""Words of the longest command name."""
MOST_DIGITS = 12
ADDRESS = "URL"
"""Placeholder for a URL in a command."""
TRUTHS = ("true", "false")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
"""Possible values of a setting whose value is optional."""


@dataclass(slots=True)
class ParsedCommandLine:
    """A parsed command line."""

    command: Command
    called: tuple[str, ...] = ()
    """The words that name the command: an alias, perhaps."""
    arguments: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    wants_help: bool = False


def table_of(commands: Mapping[str, Command]) -> dict[tuple[str, ...], Command]:
    """Every way to begin a line, with its command; tools of other programs have none."""
    table: dict[tuple[str, ...], Command] = {}
    ours = [command for command in commands.values() if not command.tool_set]
    for command in ours:
        for words in command.aliases:
            table.setdefault(words, command)
    for command in ours:
        table.setdefault((command.name.replace("_", "-"),), command)
        table.setdefault(tuple(command.name.split("_")), command)
    return table


def read_line(argv: Sequence[str], table: Mapping[tuple[str, ...], Command]) -> ParsedCommandLine:
    """Parse a whole line; BadRequest says in one line what is wrong and suggests a correction."""
    words, settings, early = _take_leading_flags(argv, table)
    command, used = _command(words, table)
    line = ParsedCommandLine(command=command, called=tuple(words[:used]), settings=settings)
    loose = _read_rest([*early, *words[used:]], line)
    if line.wants_help:
        return line
    left = _place(loose, line)
    if left:
        raise unexpected_words(argv, command, left, parses=lambda other: _parses(other, table))
    return line


def _parses(argv: Sequence[str], table: Mapping[tuple[str, ...], Command]) -> bool:
    try:
        read_line(argv, table)
    except BoathookError:
        return False
    return True


def without_leading_flags(argv: Sequence[str], table: Mapping[tuple[str, ...], Command]) -> list[str]:
    """The command and its arguments, without the settings before it."""
    return _take_leading_flags(argv, table)[0]


def _take_leading_flags(
    argv: Sequence[str], table: Mapping[tuple[str, ...], Command]
) -> tuple[list[str], dict[str, Any], list[str]]:
    """The words from the command on, the settings before them, and the command's own flags before them."""
    words = list(argv)
    settings: dict[str, Any] = {}
    early: list[str] = []
    while words and words[0].startswith("-") and words[0] not in {"-", "--", "-h", "--help"}:
        if words[0].partition("=")[0] in borrowed.COMMAND_FLAGS:
            early += [words.pop(0) for _ in range(_length(words))]
        else:
            _take_setting(words, settings, commands={key[0] for key in table})
    return words, settings, early


def _length(words: Sequence[str]) -> int:
    """How many words a flag takes that stands before its command."""
    return 2 if words[0] in borrowed.WITH_VALUE and len(words) > 1 else 1


def _command(words: Sequence[str], table: Mapping[tuple[str, ...], Command]) -> tuple[Command, int]:
    for length in range(min(LONGEST_NAME, len(words)), 0, -1):
        found = table.get(tuple(words[:length]))
        if found is not None:
            return found, length
        # Words may end in URL: then they match a line whose next word is a URL.
        if length > 1 and _is_address(words[length - 1]):
            found = table.get((*words[: length - 1], ADDRESS))
            if found is not None:
                return found, length - 1
    if not words:
        raise BadRequest("no command given", hint="`help` lists them")
    raise unknown_command(words, table)


def _read_rest(words: list[str], line: ParsedCommandLine) -> list[str]:
    """Read the flags of the command and its settings; returns the other words."""
    flags = {parameter.flag: parameter for parameter in line.command.parameters if not parameter.positional}
    flags |= {f"-{parameter.short}": parameter for parameter in line.command.parameters if parameter.short}
    flags |= {other.flag: parameter for parameter in line.command.parameters for other in parameter.also}
    loose: list[str] = []
    while words:
        word = words[0]
        if word == "--":
            loose += words[1:]
            break
        if word in {"-h", "--help"}:
            line.wants_help = True
            return []
        if not word.startswith("-") or word == "-" or _is_number(word):
            loose.append(words.pop(0))
        elif _is_flag(word, flags):
            _take_flag(words, flags, line)
        elif len(word) > 2 and word[1] != "-" and all(f"-{letter}" in flags for letter in word[1:]):  # noqa: PLR2004
            words[:1] = [f"-{letter}" for letter in word[1:]]
        elif _is_text(word, line.command, loose, flags):
            loose.append(words.pop(0))
        else:
            _take_setting(words, line.settings, line.command, flags)
    return loose


def _is_text(word: str, command: Command, loose: Sequence[str], flags: Mapping[str, Parameter]) -> bool:
    """Whether a word that looks like a flag is part of the text; not one that is spelled almost like a flag."""
    text = command.free_text
    positional = [parameter for parameter in command.parameters if parameter.positional]
    if text is None or len(loose) < positional.index(text):
        return False
    name = word.partition("=")[0]
    known = {*(setting.flag for setting in SETTINGS.values()), *borrowed.long_flags()}
    if name in known or (name.startswith("--no-") and name.replace("--no-", "--", 1) in known):
        return False
    return not (name.startswith("--") and near_words(name, [*flags, *known], cutoff=NEARER))


def _is_flag(word: str, flags: Mapping[str, Parameter]) -> bool:
    name = word.partition("=")[0]
    negated = "--" + name.removeprefix("--no-") if name.startswith("--no-") else ""
    return name in flags or (negated in flags and flags[negated].kind == "flag")


def _take_flag(words: list[str], flags: Mapping[str, Parameter], line: ParsedCommandLine) -> None:
    name, equals, value = words.pop(0).partition("=")
    if name not in flags:
        line.arguments[flags["--" + name.removeprefix("--no-")].name] = False
        return
    parameter = flags[name]
    fixed = next((other for other in parameter.also if other.flag == name and other.value is not None), None)
    alone = not equals and (not words or words[0].startswith("-"))
    if fixed is not None and (name != parameter.flag or alone):
        if not (fixed.yields and parameter.name in line.arguments):
            line.arguments[parameter.name] = fixed.value
        return
    if parameter.kind == "flag":
        line.arguments[parameter.name] = from_text(line.command, parameter, value) if equals else True
        return
    if not equals:
        if not words or (words[0].startswith("--") and _is_flag(words[0], flags)):
            raise BadRequest(f"{line.command.cli_name}: {name} needs a value: {parameter.doc}")
        value = words.pop(0)
    given = from_text(line.command, parameter, _in_seconds(parameter, value))
    if parameter.kind in {"texts", "paths"}:
        given = [*line.arguments.get(parameter.name, []), *given]
    line.arguments[parameter.name] = given


def _in_seconds(parameter: Parameter, text: str) -> str:
    """Other tools take timeouts in milliseconds: a number that is too long as seconds is in milliseconds."""
    least = parameter.duration.milliseconds_from if parameter.duration is not None else None
    if least is None or not text.isdecimal() or len(text) > MOST_DIGITS:
        return text
    return str(int(text) / 1_000) if int(text) >= least else text


def _take_setting(
    words: list[str],
    settings: dict[str, Any],
    command: Command | None = None,
    flags: Mapping[str, Parameter] | None = None,
    commands: Collection[str] = (),
) -> None:
    name, equals, value = words.pop(0).partition("=")
    if (meant := _translate_flag(name, value, words)) is not None:
        settings.update(meant)
        return
    negated = name.startswith("--no-")
    word = name.removeprefix("--no-" if negated else "--").replace("-", "_")
    setting = SETTINGS.get(borrowed.OTHER_NAMES.get(name, word))
    if setting is None or (negated and setting.kind not in {"flag", "choice"}):
        raise unknown_option(name, command, flags or {})
    if setting.kind == "flag" or (negated and setting.name == "color"):
        said = "never" if setting.name == "color" else not negated
        if not equals and (command is None or setting.launches) and words and words[0] in TRUTHS:
            equals, value = "=", words.pop(0)  # as in agent-browser
        settings[setting.name] = setting_value(setting, value) if equals else said
        return
    if not equals:
        if setting.bare and not (words and _NAME.fullmatch(words[0]) and words[0] not in commands):
            value = setting.bare
        elif not words:
            raise BadRequest(f"{name} needs a value: {setting.doc}")
        else:
            value = words.pop(0)
    given = setting_value(setting, value)
    if isinstance(given, tuple):
        given = (*settings.get(setting.name, ()), *given)  # a list may be given word by word
    settings[setting.name] = given


def _translate_flag(name: str, value: str, words: list[str]) -> dict[str, Any] | None:
    """The settings of an agent-browser flag; None if it needs no translation."""
    if name in borrowed.ALIASES:
        return dict([borrowed.ALIASES[name]])
    if name in borrowed.OPPOSITES:
        said = value or (words.pop(0) if words and words[0] in TRUTHS else "true")
        return {borrowed.OPPOSITES[name]: said == "false"}
    return {} if _is_so(name, value, words) else None


def _is_so(name: str, value: str, words: list[str]) -> bool:
    """Whether an agent-browser flag has no effect here, its value removed from the words; some are refused."""
    fine = borrowed.NO_OPS.get(name)
    if fine == ():
        return True
    if fine and (value or (words and words[0] in fine)) and (value or words.pop(0)) in fine:
        return True
    if name in borrowed.REFUSED:
        raise NotSupported(f"{name} is not supported: {borrowed.REFUSED[name]}", flag=name)
    return False


def setting_value(setting: Setting, text: str) -> object:
    """The value of some text for a setting."""
    if setting.kind == "flag":
        return text.lower() in {"1", "true", "yes", "on"}
    if setting.kind in {"number", "integer"}:
        try:
            with_unit = parse_duration(text, "s") if setting.kind == "number" else None
            if with_unit is not None:
                return with_unit
            return float(text) if setting.kind == "number" else int(text)
        except ValueError:
            raise BadRequest(
                f"{setting.flag} must be a number, not {text!r}", hint=_time_hint(text)
            ) from None
    if setting.kind in {"texts", "paths"}:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if setting.kind == "choice" and text not in setting.choices:
        raise BadRequest(f"{setting.flag} must be one of {', '.join(setting.choices)}, not {text!r}")
    return text


def _time_hint(text: str) -> str:
    meant = meant_time(text)
    return f"did you mean {meant}?" if meant else "use seconds, or a time such as 500ms, 2s or 1m"


def _place(loose: list[str], line: ParsedCommandLine) -> list[str]:
    """Assign the words that are not flags to the positional parameters, in order; returns those that are left."""
    left = _without_targets(list(loose), line) if line.command.leading_targets else list(loose)
    bare = line.command.bare_aliases
    if bare and not left and " ".join(line.called) not in bare:
        first = next(parameter for parameter in line.command.parameters if parameter.positional)
        raise _missing(line, first)
    for parameter in (parameter for parameter in line.command.parameters if parameter.positional):
        if parameter.variadic:
            if left:
                values = (
                    [from_text(line.command, parameter, word) for word in left]
                    if parameter.kind == "json"
                    else left
                )
                line.arguments[parameter.name] = values
            left = []
        elif parameter.name in line.arguments:
            continue  # a flag stands for it
        elif left and parameter.free_text:
            line.arguments[parameter.name] = " ".join(left)
            left = []
        elif left:
            line.arguments[parameter.name] = from_text(line.command, parameter, left.pop(0))
        elif parameter.required:
            raise _missing(line, parameter)
    return left


def _missing(line: ParsedCommandLine, parameter: Parameter) -> BadRequest:
    called = " ".join(line.called) or line.command.cli_name
    hint = usage_hint(line.command, called=called, needs=parameter)
    if parameter.free_text and line.settings:
        hint += "; after -- options are text"
    return BadRequest(f"{called} needs {parameter.name}: {parameter.doc}", hint=hint)


def _without_targets(words: list[str], line: ParsedCommandLine) -> list[str]:
    """Take out the words that name elements; the last one is a file unless it looks like an element."""
    count = len(words) if words and looks_like_target(words[-1]) else len(words) - 1
    targets, rest = words[: max(0, count)], words[max(0, count) :]
    if targets and line.command.leading_targets:
        parameter, more = line.command.leading_targets
        if parameter not in line.arguments:
            line.arguments[parameter] = targets.pop(0)
        if targets:
            line.arguments[more] = [*line.arguments.get(more, []), *targets]
    return rest


def _is_address(word: str) -> bool:
    """Whether a word can only be a URL: it has a scheme, or looks like a host with a path."""
    return "://" in word or ("." in word.partition("/")[0] and "/" in word)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True

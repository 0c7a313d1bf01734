"""Reading a command line of agent-browser: its words, and the line that does the same here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.agent_browser_compat import REFUSED_COMMANDS, WITH_VALUE
from boathook.errors import BadRequest
from boathook.service.agent_browser.rules import (
    GLOBAL_FLAGS,
    GLOBAL_VALUES,
    GROUPS,
    OPTIONAL_VALUES,
    PLAIN_SNAPSHOT,
    RULES,
    Rule,
)
from boathook.service.input.command_line import TRUTHS, read_line
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from boathook.registry.registry import Command
    from boathook.service.input.command_line import ParsedCommandLine

LONGEST_COMMAND = 3
_REF = re.compile(r"(?:ref=|@)?(e\d+)\Z")
_TIME_FLAGS = ("--timeout",)


@dataclass(frozen=True, slots=True, kw_only=True)
class TheirLine:
    """A line as it was written, and as it runs here."""

    argv: tuple[str, ...]
    shape: str
    words: tuple[str, ...]
    """The arguments, without flags that stand for themselves."""
    flags: frozenset[str] = frozenset()
    parsed: ParsedCommandLine = field(repr=False)

    def word(self, index: int, default: str = "") -> str:
        """One of the arguments."""
        return self.words[index] if index < len(self.words) else default


def read_their_line(argv: Sequence[str], table: Mapping[tuple[str, ...], Command]) -> TheirLine:
    """Read a line; BadRequest with the kind of mistake as `type`."""
    settings, words = _split_settings(argv, {key[0] for key in (*table, *RULES)})
    if not words:
        raise BadRequest("no command given", hint="`help` lists them", type="unknown_command")
    length, rule = _rule_for(words, table)
    name, rest = words[:length], words[length:]
    flags, arguments = _split_flags(rule, rest)
    if len(arguments) < rule.least:
        raise BadRequest(
            f"{' '.join(name)} needs more arguments: {rule.least} at least",
            type="missing_arguments",
        )
    ours, fixed, shape = _our_words(name, rule, flags, arguments)
    _check_known(words, ours, table)
    parsed = read_line([*settings, *ours], table)
    parsed.arguments.update(
        {name: value for name, value in fixed.items() if parsed.command.parameter(name) is not None}
    )
    return TheirLine(
        argv=tuple(words),
        shape=shape,
        words=tuple(word for word in arguments if rule.joins is not None or not word.startswith("--")),
        flags=frozenset(word for word in rest if word.startswith("-")),
        parsed=parsed,
    )


def _split_settings(argv: Sequence[str], commands: Collection[str]) -> tuple[list[str], list[str]]:
    """The global flags, which may stand anywhere, and the words of the command."""
    settings: list[str] = []
    words: list[str] = []
    left = list(argv)
    while left:
        word = left.pop(0)
        name, equals, _value = word.partition("=")
        if not _is_global(name, words):
            words.append(word)
            continue
        settings.append(word)
        if equals or not left:
            continue
        if name in OPTIONAL_VALUES:
            takes = left[0] not in commands and not left[0].startswith("-")
        elif name in GLOBAL_FLAGS:
            takes = left[0] in TRUTHS
        else:
            takes = _takes_value(name)
        if takes:
            settings[-1] = f"{word}={left.pop(0)}"
    return settings, words


def _is_global(name: str, words: Sequence[str]) -> bool:
    """Whether a flag belongs to the program: some do anywhere, and all that stand before the command."""
    if not words:
        return name.startswith("-")
    if name == "--state":
        return words[0] != "wait"
    return name in GLOBAL_FLAGS or name in GLOBAL_VALUES or name in OPTIONAL_VALUES


def _takes_value(name: str) -> bool:
    setting = SETTINGS.get(name.removeprefix("--").replace("-", "_"))
    is_valued = setting is not None and setting.kind != "flag"
    return name in GLOBAL_VALUES or name in WITH_VALUE or name == "--state" or is_valued


def _rule_for(words: Sequence[str], table: Mapping[tuple[str, ...], Command]) -> tuple[int, Rule]:
    for length in range(min(LONGEST_COMMAND, len(words)), 0, -1):
        rule = RULES.get(tuple(words[:length]))
        if rule is not None:
            return length, rule
        if length > 1 and tuple(words[:length]) in table:
            return length, Rule(shape="ours")
    if words[0] in GROUPS:
        subcommands = sorted({key[1] for key in RULES if key[0] == words[0] and len(key) > 1})
        if subcommands:
            raise BadRequest(
                f"{words[0]} needs one of: {', '.join(subcommands)}",
                type="missing_arguments" if len(words) == 1 else "unknown_subcommand",
            )
    return 1, Rule(shape="ours")


def _split_flags(rule: Rule, rest: Sequence[str]) -> tuple[list[str], list[str]]:
    """The flags of a command that takes free text, and its arguments; other commands keep their flags in place."""
    flags: list[str] = []
    words: list[str] = []
    left = list(rest)
    takes_text = rule.joins is not None or rule.value_flags or rule.flags
    while left:
        word = left.pop(0)
        name = word.partition("=")[0]
        if takes_text and name in rule.value_flags:
            flags.append(word)
            if "=" not in word and left:
                flags.append(left.pop(0))
        elif takes_text and word in rule.flags:
            flags.append(word)
        else:
            words.append(word)
    if rule.joins is not None and len(words) > rule.joins:
        words[rule.joins :] = [" ".join(words[rule.joins :])]
    return flags, words


def _our_words(
    name: Sequence[str], rule: Rule, flags: list[str], arguments: list[str]
) -> tuple[list[str], dict[str, Any], str]:
    """Our words, arguments that cannot be written, and the shape of the answer."""
    ours = rule.ours.split() if rule.ours else list(name)
    words = [_as_ref(word) if at in rule.targets else word for at, word in enumerate(arguments)]
    fixed, shape = dict(rule.fixed), rule.shape
    special = _SPECIAL.get(tuple(name))
    if special is not None:
        ours, words, fixed, shape = special(ours, words, fixed, shape)
    if rule.joins is not None:
        if rule.joins and len(words) == rule.joins:
            words = [*words, ""]
        stdin = "--stdin" in flags
        return [*ours, *flags, *([] if stdin else ["--", *(words or ["undefined"])])], fixed, shape
    separated = ["--", *words] if shape == "found" else words
    return [*ours, *flags, *separated], fixed, shape


def _as_ref(word: str) -> str:
    match = _REF.match(word)
    return f"@{match[1]}" if match else word


_Parts = tuple[list[str], list[str], dict[str, Any], str]


def _wait(ours: list[str], words: list[str], fixed: dict[str, Any], shape: str) -> _Parts:
    """Times are milliseconds."""
    timed = list(words)
    for at, word in enumerate(words):
        is_time = at == 0 or words[at - 1] in _TIME_FLAGS
        if is_time and word.isdecimal():
            timed[at] = f"{word}ms"
        elif at == 0:
            timed[at] = _as_ref(word)
    if not words:
        raise BadRequest(
            "wait needs something to wait for",
            hint="name an element or a number of milliseconds",
            type="missing_arguments",
        )
    return ours, timed, fixed, shape


def _snapshot(ours: list[str], words: list[str], fixed: dict[str, Any], shape: str) -> _Parts:
    """The whole tree, unless it must be compact; the lines of interactive elements are chosen from it."""
    kept = [
        word for word in words if word not in {"-i", "--interactive", "--delta", "--full", "-c", "--compact"}
    ]
    letters = [word for word in kept if re.fullmatch(r"-[icu]{2,3}", word)]
    kept = [word for word in kept if word not in letters]
    given = {*words, *(f"-{letter}" for word in letters for letter in word[1:])}
    compact = bool(given & {"-c", "--compact"}) and not given & {"-i", "--interactive"}
    if "-u" in given and not {"-u", "--urls"} & set(kept):
        kept.append("-u")
    chosen = {**PLAIN_SNAPSHOT, **fixed, **({"mode": "compact"} if compact else {})}
    kept = ["--root", *kept] if kept and _REF.match(kept[0]) else kept
    shape = "interactive snapshot" if given & {"-i", "--interactive"} else shape
    return ours, kept, chosen, f"{shape} delta" if "--delta" in given else shape


def _find(ours: list[str], words: list[str], fixed: dict[str, Any], shape: str) -> _Parts:
    """`nth -1` is the last one."""
    by = words[0]
    if by not in {"role", "text", "label", "placeholder", "alt", "title", "testid", "first", "last", "nth"}:
        raise BadRequest(f"find: unknown way to find an element: {by!r}", type="unknown_subcommand")
    if by == "nth":
        if len(words) < 3 or not re.fullmatch(r"-?\d+", words[1]):  # noqa: PLR2004
            raise BadRequest("find nth needs an index and a selector", type="missing_arguments")
        if words[1] == "-1":
            words = ["last", *words[2:]]
    return ours, words, fixed, shape


def _tab(ours: list[str], words: list[str], fixed: dict[str, Any], shape: str) -> _Parts:
    return (ours, words, fixed, shape) if words else (["pages"], [], fixed, "tabs")


def _open(ours: list[str], words: list[str], fixed: dict[str, Any], shape: str) -> _Parts:
    return ours, words, fixed, shape if any(not word.startswith("-") for word in words) else "launched"


def _storage(ours: list[str], words: list[str], fixed: dict[str, Any], shape: str) -> _Parts:
    match words:
        case ["set", _, _]:
            return ours, words, fixed, "set"
        case ["set", *_]:
            raise BadRequest("storage set needs a key and a value", type="missing_arguments")
        case ["clear"]:
            return ours, words, fixed, "cleared"
        case ["get", _] | [_]:
            return ours, words[-1:], fixed, "storage key"
    return ours, words, fixed, shape


def _cleared(name: str) -> Any:
    def choose(ours: list[str], words: list[str], fixed: dict[str, Any], shape: str) -> _Parts:
        return ours, words, fixed, name if "--clear" in words else shape

    return choose


def _cookies(ours: list[str], words: list[str], fixed: dict[str, Any], shape: str) -> _Parts:
    if words and not words[0].startswith("-"):
        raise BadRequest(
            f"cookies has no {words[0]!r}", hint="use get, set or clear", type="unknown_subcommand"
        )
    return ours, words, fixed, shape


def _cookies_set(ours: list[str], words: list[str], fixed: dict[str, Any], shape: str) -> _Parts:
    if sum(not word.startswith("-") for word in words) < 2 and "--curl" not in words:  # noqa: PLR2004
        raise BadRequest("cookies set needs a name and a value", type="missing_arguments")
    return ours, words, fixed, shape


_SPECIAL = {
    ("wait",): _wait,
    ("snapshot",): _snapshot,
    ("find",): _find,
    ("tab",): _tab,
    ("open",): _open,
    ("storage", "local"): _storage,
    ("storage", "session"): _storage,
    ("console",): _cleared("console cleared"),
    ("network", "requests"): _cleared("cleared"),
    ("cookies",): _cookies,
    ("cookies", "set"): _cookies_set,
}
"""Commands whose line is not only a matter of names."""


def _check_known(words: Sequence[str], ours: Sequence[str], table: Mapping[tuple[str, ...], Command]) -> None:
    if ours[0] not in {key[0] for key in table} and ours[0] not in REFUSED_COMMANDS:
        raise BadRequest(f"unknown command: {words[0]!r}", hint="`help` lists them", type="unknown_command")

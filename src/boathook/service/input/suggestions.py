"""Suggestions: what was probably meant when a word is unknown, or when words are in the wrong place."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from boathook import agent_browser_compat as borrowed
from boathook.durations import meant_time
from boathook.errors import BadRequest, NotSupported, Unsupported
from boathook.hints import mark_line
from boathook.presentation.help import THIS_PROGRAM
from boathook.registry.registry import URL_PARAMETERS
from boathook.service.input.argument_types import usage_hint
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from boathook.registry.registry import Command

NEAR = 0.75
"""How similar a word must be to be suggested; `version` and `session` are not."""
NEARER = 0.85
"""The same for words that lose the state of a session, and for flags inside free text."""
_TEXT_SELECTOR = re.compile(r"(?:text|label|title|alt|placeholder|name|aria)[=/]")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def near_words(
    word: str,
    known: Iterable[str],
    *,
    most: int = 1,
    cutoff: float = NEAR,
    risky: Collection[str] = (),
) -> list[str]:
    """The known words that are most similar; risky ones only if they are almost equal."""
    names = list(dict.fromkeys(known))
    near = get_close_matches(word, names, n=most + 2, cutoff=cutoff)
    equal = set(get_close_matches(word, names, n=most + 2, cutoff=NEARER))
    return [name for name in near if name not in risky or name in equal][:most]


def did_you_mean(near: Sequence[str]) -> str:
    """The hint for similar words; empty without any."""
    return f"did you mean {' or '.join(near)}?" if near else ""


def unknown_command(
    words: Sequence[str], table: Mapping[tuple[str, ...], Command]
) -> BadRequest | Unsupported:
    """The error for a line that begins with no known command."""
    if words[0] in borrowed.REFUSED_COMMANDS:
        why = borrowed.REFUSED_COMMANDS[words[0]]
        return NotSupported(f"{words[0]} is not supported: {why}", command=words[0])
    if (impossible := " ".join(words[:2])) in borrowed.IMPOSSIBLE:
        message, hint = borrowed.IMPOSSIBLE[impossible]
        return Unsupported(message, hint=hint)
    if words[0] in THIS_PROGRAM:
        return BadRequest(
            f"{words[0]} runs in the caller's process, not in a session",
            hint="type it as the first word in a shell, with its own options",
        )
    inside = sorted({key[1] for key in table if len(key) > 1 and key[0] == words[0]})
    if inside and len(words) == 1:
        return BadRequest(f"{words[0]} needs one of: {', '.join(inside)}")
    if inside:
        near = [f"{words[0]} {name}" for name in near_words(words[1], inside)]
        listed = f"use {words[0]} with one of: {', '.join(inside)}"
        return BadRequest(f"unknown command: {' '.join(words[:2])!r}", hint=did_you_mean(near) or listed)
    near = _near_commands(words, table)
    return BadRequest(
        f"unknown command: {words[0]!r}", hint=did_you_mean(near) or "`help` lists the commands"
    )


def _near_commands(words: Sequence[str], table: Mapping[tuple[str, ...], Command]) -> list[str]:
    """The command for which other programs have this word, one that ends in it, or one that is spelled like it."""
    if words[0] in borrowed.OTHER_WORDS:
        return [borrowed.OTHER_WORDS[words[0]]]
    facts = [key for key, command in table.items() if command.group == "facts"]
    ending = [" ".join(key) for key in facts if len(key) > 1 and key[-1] == words[0]]
    if ending:
        return ending[:1]
    risky = {" ".join(key) for key, command in table.items() if command.closes_session}
    names = [
        *(" ".join(key) for key in table if not (len(key) == 1 and "-" in key[0])),
        *THIS_PROGRAM,
        "help",
    ]
    both = near_words(" ".join(words[:2]), [name for name in names if " " in name], risky=risky)
    return near_words(words[0], [name for name in names if " " not in name], most=2, risky=risky) or both


def unknown_option(name: str, command: Command | None, flags: Iterable[str]) -> BadRequest:
    """The error for a flag that neither the command nor the settings have."""
    settings = {setting.flag: setting for setting in SETTINGS.values()}
    risky = {flag for flag, setting in settings.items() if setting.loses_state}
    near = near_words(name, [*flags, *settings], risky=risky)
    if command is None:
        return BadRequest(
            f"unknown option: {name}", hint=did_you_mean(near) or "`help all` lists the settings"
        )
    listed = f"`{command.cli_name} --help` lists its options"
    return BadRequest(f"{command.cli_name} has no option {name}", hint=did_you_mean(near) or listed)


def looks_like_target(word: str) -> bool:
    """Whether a word names an element rather than a file or some text."""
    if word.startswith("."):
        return "/" not in word and bool(word.strip("."))
    return word.startswith(("@", "#")) or "=" in word


def unexpected_words(
    argv: Sequence[str], command: Command, left: Sequence[str], *, parses: Callable[[Sequence[str]], bool]
) -> BadRequest:
    """The error for words that no parameter takes, with the line that was probably meant."""
    meant = () if command.secrets else _meant_lines(argv, left, command)  # what is typed may be secret
    for why, line in meant:
        if parses(line) and (shown := mark_line(line)):
            return BadRequest(f"{command.cli_name}: unexpected argument: {left[0]!r}", hint=f"{why}: {shown}")
    return BadRequest(f"{command.cli_name}: unexpected argument: {left[0]!r}", hint=usage_hint(command))


def _meant_lines(
    argv: Sequence[str], left: Sequence[str], command: Command
) -> Iterable[tuple[str, list[str]]]:
    """Lines in which the words that are left over belong to the word before them."""
    at = next((at for at in range(len(argv) - 1, 0, -1) if argv[at] == left[0]), 0)
    if not at:
        return
    count = len(left) if list(argv[at : at + len(left)]) == list(left) else 1
    before, after = list(argv[: at - 1]), list(argv[at + count :])
    together = [argv[at - 1], *argv[at : at + count]]
    if count == 1 and all(_NUMBER.fullmatch(word) for word in together):
        yield "a point is one argument", [*before, ",".join(together), *after]
    if count == 1 and (time := meant_time(" ".join(together))):
        yield "write the unit without a space", [*before, time, *after]
    if _is_phrase(argv, at, command):
        yield "quote arguments with spaces", [*before, " ".join(together), *after]


def _is_phrase(argv: Sequence[str], at: int, command: Command) -> bool:
    """Whether a word may continue the argument before it: text, but not a second element, URL or file."""
    if looks_like_target(argv[at]):
        return False
    if at > 1 and argv[at - 2].startswith("--"):
        return True
    positional = [parameter for parameter in command.parameters if parameter.positional]
    if not positional or positional[-1].kind != "text" or positional[-1].name in URL_PARAMETERS:
        return False
    return not positional[-1].element or bool(_TEXT_SELECTOR.match(argv[at - 1]))

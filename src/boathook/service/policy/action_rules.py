"""Action rules: a user's file that says which categories of commands are allowed, denied or require confirmation."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from boathook.errors import BadSetting
from boathook.input_files import read_input_file

if TYPE_CHECKING:
    from collections.abc import Collection

Verdict = Literal["allow", "deny", "confirm"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
MOST_BYTES = 100_000
ORDER: tuple[Verdict, ...] = ("deny", "confirm", "allow")
"""If several lists name a command, the first of these applies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRules:
    """The content of one file."""

    default: Verdict = "allow"
    allow: frozenset[str] = frozenset()
    deny: frozenset[str] = frozenset()
    confirm: frozenset[str] = frozenset()
    source: str = ""
    """The file, for the error message."""

    @property
    def words(self) -> frozenset[str]:
        """Everything that it names."""
        return self.allow | self.deny | self.confirm

    def verdict(self, words: Collection[str]) -> tuple[Verdict, str]:
        """The verdict for a command with these names, and the name that decided; empty if it is the default."""
        for verdict in ORDER:
            named: frozenset[str] = getattr(self, verdict)
            if found := named & set(words):
                return verdict, min(found)
        return self.default, ""


def read_rules(path: str) -> ActionRules:
    """The rules of a JSON file, or of a policy file; BadSetting if it cannot be read or parsed, so that nothing runs without it."""
    try:
        raw = read_input_file(path, most_bytes=MOST_BYTES)
    except OSError as error:
        raise BadSetting(
            f"the action policy {path} cannot be read ({error.strerror})",
            hint="only closing is allowed until it can be read; fix the file or the setting action_policy",
        ) from error
    if len(raw) > MOST_BYTES:
        raise BadSetting(f"the action policy {path} is longer than {MOST_BYTES} bytes", hint="shorten it")
    is_toml = path.endswith(".toml")  # a policy file: its lists are in [actions]
    try:
        given = tomllib.loads(raw.decode("utf-8")).get("actions", {}) if is_toml else json.loads(raw)
    except RecursionError:
        raise BadSetting(f"the action policy {path} is nested too deeply") from None
    except ValueError as error:
        raise BadSetting(
            f"the action policy {path} is not {'TOML' if is_toml else 'JSON'} ({error})",
            hint='it looks like {"default": "allow", "deny": ["eval"], "confirm": ["upload"]}',
        ) from error
    return _check_rules(given, path)


def _check_rules(given: Any, path: str) -> ActionRules:
    if not isinstance(given, dict) or set(given) - {"default", *VERDICTS}:
        named = sorted(set(given) - {"default", *VERDICTS}) if isinstance(given, dict) else []
        wrong = f"has the unknown key {named[0]!r}" if named else "is not an object"
        raise BadSetting(f"the action policy {path} {wrong}", hint="use default, allow, deny and confirm")
    default = given.get("default", "allow")
    if default not in VERDICTS:
        raise BadSetting(
            f"the action policy {path} has the invalid default {default!r}", hint=f"use {', '.join(VERDICTS)}"
        )
    lists = {verdict: given.get(verdict, []) for verdict in VERDICTS}
    for verdict, words in lists.items():
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise BadSetting(f"{verdict} in the action policy {path} must be a list of strings")
    return ActionRules(
        default=default, source=path, **{verdict: frozenset(words) for verdict, words in lists.items()}
    )

"""Redaction: the one filter that text, values and command lines pass through before anyone else sees them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from boathook.redaction.known_secrets import SHORTEST_SECRET, KnownSecrets
from boathook.redaction.rules import find_secrets
from boathook.redaction.secret import REDACTED, Secret
from boathook.redaction.sensitive_names import sensitive_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    Span = tuple[int, int]

__all__ = ["REDACTED", "SHORTEST_SECRET", "RedactedStream", "Redactor"]

DEEPEST_VALUE = 64
"""Levels of lists and objects that are searched; deeper content is removed completely."""
MOST_LEAVES = 2_000
"""Parts of a value that are searched together."""
_LONGEST_REMEMBERED = 500
_MOST_REMEMBERED = 4_096
_without_findings: set[int] = set()
"""Hashes of short texts in which no rule finds anything; their key is random and unknown to pages."""
SECRET_OPTIONS = frozenset({"body", "headers", "password", "proxy", "totp"})
SECRET_WORDS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("set", "credentials"), 0),
    (("cookies", "set"), 1),
    (("storage", "set"), 1),
    (("storage", "local", "set"), 1),
    (("storage", "session", "set"), 1),
    (("clipboard", "write"), 0),
)
"""Prefixes of command lines, and how many of the following words may be shown."""


class Redactor:
    """Removes secrets: those given by value, in any encoding, and those that are recognizable."""

    def __init__(self, secrets: Collection[str] = ()) -> None:
        self._known = _prepare_secrets(frozenset(secrets))

    @property
    def too_short(self) -> int:
        """How many of the secrets are too short to be searched."""
        return self._known.too_short

    def text(self, text: str) -> str:
        """The text with every secret replaced."""
        return _replace_spans(text, self.spans(text))

    def remove_known(self, text: str) -> str:
        """Without the secrets that are known by value only: for our own text, which never looks like a credential."""
        return _replace_spans(text, _merge_spans(text, self._known.spans(text)))

    def spans(self, text: str) -> list[Span]:
        """The positions of secrets, in order and without overlap."""
        return _merge_spans(text, [*self._known.spans(text), *_spans_by_rules(text)])

    def value(self, value: Any) -> Any:
        """The same for JSON data: fields with sensitive names lose their whole value, cookies theirs."""
        return REDACTED if self._only_together(value) else self._value(value, depth=0)

    def _value(self, value: Any, *, depth: int) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return REDACTED if self._known.spans(str(value)) else value
        if depth >= DEEPEST_VALUE or isinstance(value, Secret):
            return REDACTED
        if isinstance(value, dict):
            return self._fields(value, depth=depth + 1)
        if isinstance(value, list | tuple):
            return [self._value(part, depth=depth + 1) for part in value]
        return self.text(str(value))

    def literals(self, text: str) -> str:
        """Large text, such as a heap, with known secrets replaced where they occur literally or in JSON encoding."""
        for literal in self._known.literals:
            text = text.replace(literal, REDACTED)
        return text

    def _only_together(self, value: Any) -> bool:
        """Whether the parts of a list or object form a secret only together: its halves, its characters, their codes."""
        leaves = list(islice(_leaves(value), MOST_LEAVES)) if self._known else []
        spelled = (leaves, leaves[1::2])  # entries of an object have their keys between
        found = any(
            self.hides("".join(letters)) or self.hides(" ".join(letters))
            for letters in spelled
            if len(letters) > 1
        )
        return found and not any(map(self.hides, leaves))

    def hides(self, text: str) -> bool:
        """Whether a secret that is known by value occurs in the text."""
        return bool(self._known.spans(text))

    def result(self, value: Any) -> Any:
        """A result with the same secrets removed, of the same type, so that text and data are made from one value."""
        if isinstance(value, Mapping | list) and self._only_together(value):
            return REDACTED
        return self._result(value)

    def _result(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self._mapping(value)
        if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
            return type(value)(self._result(part) for part in value)
        if is_dataclass(value) and not isinstance(value, type):
            return self._dataclass(value)
        return value

    def _mapping(self, fields: Mapping[Any, Any]) -> dict[Any, Any]:
        hides_value = _is_cookie(fields) or sensitive_name(str(fields.get("name") or fields.get("key") or ""))
        return {
            name: _hide(part)
            if sensitive_name(str(name)) or (hides_value and name == "value")
            else self._result(part)
            for name, part in fields.items()
        }

    def _dataclass(self, value: Any) -> Any:
        """Only strings are replaced: renderers rely on the types of the fields."""
        changed = {}
        for field in fields(value):
            part = getattr(value, field.name)
            clean = (
                REDACTED
                if isinstance(part, str) and part and sensitive_name(field.name)
                else self._result(part)
            )
            if clean is not part and clean != part and field.init:
                changed[field.name] = clean
        return replace(value, **changed) if changed else value

    def _fields(self, fields: dict[Any, Any], *, depth: int) -> dict[str, Any]:
        clean: dict[str, Any] = {}
        hides_value = _is_cookie(fields) or sensitive_name(str(fields.get("name") or fields.get("key") or ""))
        for name, value in fields.items():
            shown = _unique_name(self.text(str(name)), clean)
            hidden = sensitive_name(str(name)) or (hides_value and name == "value")
            clean[shown] = _hide(value) if hidden else self._value(value, depth=depth)
        return clean

    def arguments(
        self, arguments: Mapping[str, Any], secret_parameters: Collection[str] = ()
    ) -> dict[str, Any]:
        """Named arguments of a call, as the journal stores them."""
        secret = {_plain_name(name) for name in secret_parameters} | SECRET_OPTIONS
        return {
            name: _hide(value) if _plain_name(name) in secret or sensitive_name(name) else self.value(value)
            for name, value in arguments.items()
        }

    def argv(
        self,
        words: Sequence[str],
        secret_parameters: Collection[str] = (),
        *,
        secret_words: Collection[str] = (),
    ) -> list[str]:
        """A command line without the values of secret options (by name, in any spelling) and without words that are secret."""
        secret = {_plain_name(name) for name in secret_parameters} | SECRET_OPTIONS
        clean: list[str] = []
        hide_next = False
        for word in words:
            option, equals, _ = word.partition("=")
            named = option.startswith("--") and (_plain_name(option) in secret or sensitive_name(option))
            if hide_next or word in secret_words:
                clean.append(REDACTED)
            elif named and equals:
                clean.append(f"{option}={REDACTED}")
            else:
                clean.append(self.text(word))
            hide_next = named and not equals and not hide_next
        return _without_secret_words(list(words), clean)

    def stream(self) -> RedactedStream:
        """For text that arrives in chunks: a secret that is split across chunks is still found."""
        return RedactedStream(self, hold=max(RedactedStream.HOLD, 12 * self._known.longest))


class RedactedStream:
    """Text in chunks. Some of it is held back until enough follows to see that no secret starts in it."""

    HOLD = 16 * 1024
    LARGEST = 16
    """The limit of what one secret may cover, as a multiple of what is held back, before it is released redacted."""

    def __init__(self, redactor: Redactor, *, hold: int = HOLD) -> None:
        self._redactor = redactor
        self._hold = hold
        self._kept = ""
        self._pieces: list[str] = []
        self._waiting = 0

    def feed(self, piece: str) -> str:
        """Take the next chunk; returns what can be shown by now, often nothing."""
        self._pieces.append(piece)
        self._waiting += len(piece)
        if self._waiting < self._hold:  # so that many small pieces do not cost a search each
            return ""
        return self._release(self._take_pending(), final=False)

    def finish(self) -> str:
        """The rest."""
        return self._release(self._take_pending(), final=True)

    def _take_pending(self) -> str:
        whole = self._kept + "".join(self._pieces)
        self._pieces.clear()
        self._waiting = 0
        return whole

    def _release(self, whole: str, *, final: bool) -> str:
        spans = self._redactor.spans(whole)
        cut = len(whole) if final else _cut(whole, spans, hold=self._hold)
        self._kept = whole[cut:]
        return _replace_spans(whole[:cut], [(start, min(end, cut)) for start, end in spans if start < cut])


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)


def _spans_by_rules(text: str) -> list[Span]:
    """What the rules find. Short text recurs (URLs, names of commands), and mostly there is nothing in it."""
    if len(text) > _LONGEST_REMEMBERED:
        return list(find_secrets(text))
    number = hash(text)  # not the text: it may be a secret that only its value shows
    if number in _without_findings:
        return []
    spans = list(find_secrets(text))
    if not spans:
        if len(_without_findings) >= _MOST_REMEMBERED:
            _without_findings.clear()
        _without_findings.add(number)
    return spans


@lru_cache(maxsize=256)
def _prepare_secrets(secrets: frozenset[str]) -> KnownSecrets:
    """Cached: the same secrets are searched in every result of a session."""
    return KnownSecrets(secrets)


def _cut(whole: str, spans: list[Span], *, hold: int) -> int:
    """How much may be released: up to the end of a line where there is one, and not into a secret."""
    limit = max(0, len(whole) - hold)
    line = whole.rfind("\n", max(0, limit - hold), limit) + 1
    cut = line or limit
    for start, end in spans:
        if start < cut < end:
            return start if len(whole) - start < RedactedStream.LARGEST * hold else end
    return cut


def _merge_spans(text: str, spans: Iterable[Span]) -> list[Span]:
    marks = [match.span() for match in re.finditer(re.escape(REDACTED), text)]
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    if not marks:
        return merged
    inside = {at for start, end in marks for at in range(start, end)}
    return [
        (start, end)
        for start, end in merged
        if start not in inside or end - 1 not in inside or end - start > len(REDACTED)
    ]


def _replace_spans(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    last = 0
    for start, end in spans:
        parts += (text[last:start], REDACTED)
        last = end
    return "".join((*parts, text[last:]))


def _hide(value: Any) -> Any:
    """None stays None, and booleans are not secret; everything else is."""
    return value if value is None or value == "" or isinstance(value, bool) else REDACTED


def _unique_name(name: str, taken: Mapping[str, Any]) -> str:
    """The name, numbered if redaction made it equal to another."""
    number, free = 2, name
    while free in taken and REDACTED in name:
        free, number = f"{name} {number}", number + 1
    return free


def _is_cookie(fields: Mapping[Any, Any]) -> bool:
    return {"name", "value"} <= fields.keys() and not fields.keys().isdisjoint(
        {"domain", "path", "httpOnly", "sameSite"}
    )


def _plain_name(name: str) -> str:
    return name.lstrip("-").replace("-", "_").lower()


def _without_secret_words(words: list[str], clean: list[str]) -> list[str]:
    places = [at for at, word in enumerate(words) if not word.startswith("-")]
    spoken = [words[at] for at in places]
    for beginning, shown in SECRET_WORDS:
        for first in range(len(spoken) - len(beginning)):
            if tuple(spoken[first : first + len(beginning)]) == beginning:
                for at in places[first + len(beginning) + shown :]:
                    clean[at] = REDACTED
                return clean
    return clean

"""Redaction: the one gate through which text, values and command lines pass before anybody else sees them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.service.known_secrets import SHORTEST_SECRET, KnownSecrets
from boathook.service.redaction_rules import (
    REDACTED,
    credential_shaped,
    recognised,
    sensitive_name,
    token_shaped,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    Span = tuple[int, int]

__all__ = ["REDACTED", "SHORTEST_SECRET", "RedactedStream", "Redactor", "StoredValue"]

DEEPEST_VALUE = 64
"""Levels of lists and objects that are looked through; what lies deeper is taken out whole."""
SECRET_OPTIONS = frozenset({"body", "headers", "password", "proxy", "totp"})
SECRET_WORDS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("set", "credentials"), 0),
    (("cookies", "set"), 1),
    (("storage", "set"), 1),
    (("storage", "local", "set"), 1),
    (("storage", "session", "set"), 1),
    (("clipboard", "write"), 0),
)
"""Beginnings of command lines, and how many of the words behind them may be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredValue:
    """One value of a page's storage; `reason` says why it was taken out, and is empty when it was not."""

    value: Any
    reason: str = ""


class Redactor:
    """Takes secrets out: those given by value, in any form, and those that give themselves away."""

    def __init__(self, secrets: Collection[str] = ()) -> None:
        self._known = KnownSecrets(secrets)

    @property
    def too_short(self) -> int:
        """How many of the secrets have fewer than four characters, and so are not looked for."""
        return self._known.too_short

    def text(self, text: str) -> str:
        """The text with every secret replaced."""
        return _replaced(text, self.spans(text))

    def spans(self, text: str) -> list[Span]:
        """Where secrets stand, in order and apart from each other."""
        return _merged(text, [*self._known.spans(text), *recognised(text)])

    def value(self, value: Any) -> Any:
        """The same for what JSON can say: fields with sensitive names lose their whole value, cookies theirs."""
        return self._value(value, depth=0)

    def _value(self, value: Any, *, depth: int) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return REDACTED if self._known.spans(str(value)) else value
        if depth >= DEEPEST_VALUE:
            return REDACTED
        if isinstance(value, dict):
            return self._fields(value, depth=depth + 1)
        if isinstance(value, list | tuple):
            return [self._value(one, depth=depth + 1) for one in value]
        return self.text(str(value))

    def _fields(self, fields: dict[Any, Any], *, depth: int) -> dict[str, Any]:
        clean: dict[str, Any] = {}
        hides_value = _is_cookie(fields) or sensitive_name(str(fields.get("name") or fields.get("key") or ""))
        for name, value in fields.items():
            shown = _unused(self.text(str(name)), clean)
            hidden = sensitive_name(str(name)) or (hides_value and name == "value")
            clean[shown] = _hidden(value) if hidden else self._value(value, depth=depth)
        return clean

    def arguments(
        self, arguments: Mapping[str, Any], secret_parameters: Collection[str] = ()
    ) -> dict[str, Any]:
        """Named arguments of a call, as the journal keeps them."""
        secret = {_plain_name(name) for name in secret_parameters} | SECRET_OPTIONS
        return {
            name: _hidden(value) if _plain_name(name) in secret or sensitive_name(name) else self.value(value)
            for name, value in arguments.items()
        }

    def argv(self, words: Sequence[str], secret_parameters: Collection[str] = ()) -> list[str]:
        """A command line without the values of secret options; `secret_parameters` are names, however spelt."""
        secret = {_plain_name(name) for name in secret_parameters} | SECRET_OPTIONS
        clean: list[str] = []
        hide_next = False
        for word in words:
            option, equals, _ = word.partition("=")
            named = option.startswith("--") and (_plain_name(option) in secret or sensitive_name(option))
            if hide_next:
                clean.append(REDACTED)
            elif named and equals:
                clean.append(f"{option}={REDACTED}")
            else:
                clean.append(self.text(word))
            hide_next = named and not equals and not hide_next
        return _without_secret_words(list(words), clean)

    def storage(self, items: Mapping[str, Any]) -> dict[str, StoredValue]:
        """What a page has stored: harmless settings stay, all that may say who the user is goes."""
        stored: dict[str, StoredValue] = {}
        for key, value in items.items():
            clean = self.value(value)
            reason = _why_private(key, value) or ("secret" if clean != value else "")
            stored[_unused(self.text(key), stored)] = StoredValue(
                value=REDACTED if reason else clean, reason=reason
            )
        return stored

    def saved_state(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """A saved state as it may be shown: names of cookies and keys, and no value at all."""
        origins = [
            {
                "origin": self.text(str(one.get("origin", ""))),
                **{
                    area: [self.text(name) for name in _names(one.get(area))]
                    for area in _AREAS
                    if one.get(area)
                },
            }
            for one in _objects(state.get("origins"))
        ]
        shown = ("name", "domain", "path", "expires", "httpOnly", "secure", "sameSite")
        cookies = [
            {name: self.value(one[name]) for name in shown if name in one}
            for one in _objects(state.get("cookies"))
        ]
        return {"cookies": cookies, "origins": origins}

    def stream(self) -> RedactedStream:
        """For text that comes in pieces: a secret that is cut in two is found all the same."""
        return RedactedStream(self, hold=max(RedactedStream.HOLD, 12 * self._known.longest))


class RedactedStream:
    """Text in pieces. Some of it is held back until enough follows to see that no secret begins in it."""

    HOLD = 16 * 1024
    LARGEST = 16
    """Times as much as is held back is the most that one secret may cover before it is let go, redacted."""

    def __init__(self, redactor: Redactor, *, hold: int = HOLD) -> None:
        self._redactor = redactor
        self._hold = hold
        self._kept = ""
        self._pieces: list[str] = []
        self._waiting = 0

    def feed(self, piece: str) -> str:
        """Take the next piece; what can be shown by now, often nothing."""
        self._pieces.append(piece)
        self._waiting += len(piece)
        if self._waiting < self._hold:  # so that many small pieces do not cost a search each
            return ""
        return self._release(self._gathered(), final=False)

    def finish(self) -> str:
        """The rest."""
        return self._release(self._gathered(), final=True)

    def _gathered(self) -> str:
        whole = self._kept + "".join(self._pieces)
        self._pieces.clear()
        self._waiting = 0
        return whole

    def _release(self, whole: str, *, final: bool) -> str:
        spans = self._redactor.spans(whole)
        cut = len(whole) if final else _cut(whole, spans, hold=self._hold)
        self._kept = whole[cut:]
        return _replaced(whole[:cut], [(start, min(end, cut)) for start, end in spans if start < cut])


def _cut(whole: str, spans: list[Span], *, hold: int) -> int:
    """How much may go: up to the end of a line where there is one, and not into a secret."""
    limit = max(0, len(whole) - hold)
    line = whole.rfind("\n", max(0, limit - hold), limit) + 1
    cut = line or limit
    for start, end in spans:
        if start < cut < end:
            return start if len(whole) - start < RedactedStream.LARGEST * hold else end
    return cut


def _merged(text: str, spans: Iterable[Span]) -> list[Span]:
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


def _replaced(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    last = 0
    for start, end in spans:
        parts += (text[last:start], REDACTED)
        last = end
    return "".join((*parts, text[last:]))


def _hidden(value: Any) -> Any:
    """Nothing stays nothing, and yes or no is no secret; all else is."""
    return value if value is None or value == "" or isinstance(value, bool) else REDACTED


def _unused(name: str, taken: Mapping[str, Any]) -> str:
    """The name, numbered when redaction made it equal to another."""
    number, free = 2, name
    while free in taken and REDACTED in name:
        free, number = f"{name} {number}", number + 1
    return free


_AREAS = ("localStorage", "sessionStorage")


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _names(pairs: Any) -> list[str]:
    return [str(pair.get("name", "")) for pair in _objects(pairs)]


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


_PRIVATE_KEYS = words_of(
    "account auth authorization bearer cookie credential credentials csrf email identity jwt key login password phone"
    " profile secret session sessionid sid token tokens uid user userid username xsrf"
)
_HARMLESS_KEYS = words_of(
    "theme locale language lang layout sort tab view debug feature flag flags dark mode zoom width height color"
    " consent banner sidebar panel collapsed expanded volume currency timezone version"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}")
_PRIVATE_WORD = re.compile(
    r"\b(?:password|passwd|secret|token|bearer|authorization|credential|session|cookie|user_?(?:id|name)|e-?mail|account"
    r"|jwt|api_?key)s?\b",
    re.IGNORECASE,
)
_LONG_TOKEN = re.compile(r"(?<![A-Za-z0-9_+/=.\-])[A-Za-z0-9_+/=.\-]{32,}")
_LONGEST_LOOK = 64 * 1024


def _why_private(key: str, value: Any) -> str:
    """Why a stored value is not shown; empty when it may be."""
    words = {word.lower() for word in _WORD.findall(key[-128:])}
    if sensitive_name(key) or words & _PRIVATE_KEYS:
        return "key"
    text = value if isinstance(value, str) else str(value)
    if len(text) > _LONGEST_LOOK:
        return "size"
    if _EMAIL.search(text):
        return "email"
    if any(token_shaped(match.group()) for match in _LONG_TOKEN.finditer(text)):
        return "token"
    head, _, rest = text.partition(" ")
    if head.lower() in {"bearer", "basic"} and credential_shaped(rest.strip()):
        return "credential"
    return "word" if _PRIVATE_WORD.search(text) and not words & _HARMLESS_KEYS else ""

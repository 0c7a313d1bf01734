"""Recognizing unknown secrets by the shapes of credentials in text, and by the names of fields before them.

Each rule finds the start of a secret at the places that `candidates.py` knows, or with a pattern that looks at every character
a bounded number of times, and its end by reading on once; what a rule has covered it does not look at again. So all of
them take linear time.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.redaction.candidates import SearchedText
from boathook.redaction.secret import REDACTED
from boathook.redaction.sensitive_names import LONGEST_NAME, sensitive_name, sensitive_query_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Span = tuple[int, int]
    Finder = Callable[[SearchedText], Iterator[Span]]
    Heads = Callable[[SearchedText], Iterable[re.Match[str]]]


_REFERENCE = re.compile(
    r"\$\{?[A-Za-z_]\w*\}?|\{\{?[^{}]*\}?\}|<[A-Za-z _-]*>|env:\w+"
    r"|(?:self|this|args|os|process|request|settings|options|config)(?:\.[A-Za-z_]\w{0,64})+(?:[(\[].*)?"
    r"|[A-Za-z_][\w.]*\([^()]*\)?|[A-Za-z_.]+\[|%[a-z]|%\(\w+\)s"
)
_NO_VALUE = frozenset(
    {"", "none", "null", "true", "false", "undefined", "yes", "no", "on", "off", "required", "..."}
)


def names_a_secret_only(value: str, name: str) -> bool:
    """Whether a value in text or code is not a secret itself: empty, a variable, a placeholder, a call."""
    plain = value.strip("\"'")
    return (
        len(plain) == 1
        or plain.lower() in _NO_VALUE
        or plain == name
        or _REFERENCE.fullmatch(plain) is not None
    )


def is_token_shaped(value: str) -> bool:
    """Whether one word looks generated: digits among letters, or capitals inside."""
    letters = any(char.isalpha() for char in value)
    return letters and (any(char.isdigit() for char in value) or re.search(r"[a-z][A-Z]", value) is not None)


def is_credential_shaped(value: str) -> bool:
    """Whether the text after Bearer or Basic is a credential and not the next word of a sentence."""
    if len(value) >= _LONG_CREDENTIAL or value.endswith("=") or is_token_shaped(value):
        return True
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except binascii.Error:
        return False


_LONG_CREDENTIAL = 24


@dataclass(frozen=True, slots=True)
class SecretRule:
    """One way to find secrets."""

    name: str
    find: Finder
    needs: tuple[str, ...] = ()
    """Pieces of lower-case text: if there are any, each secret begins in a line with one of them."""
    guard: str = ""
    """Without this character the text has no secret of this kind; lines with it need not be where one begins."""


def _after(
    heads: Heads,
    value: str,
    *,
    named: Callable[[str], bool] | None = None,
    wanted: Callable[[str, str], bool] | None = None,
    with_head: bool = False,
    trim: str = "",
) -> Finder:
    """Secrets that follow a head; `named` judges the head's group `name`, `wanted` the value with it."""
    reads = re.compile(value)

    def find(searched: SearchedText) -> Iterator[Span]:
        text, covered = searched.text, 0
        for match in heads(searched):
            name = match.groupdict().get("name") or ""
            if match.start() < covered or (named is not None and not named(name)):
                continue
            found = reads.match(text, match.end())
            if found is None:
                continue
            covered = found.end()
            secret = found.group().rstrip(trim) if trim else found.group()
            if secret and (wanted is None or wanted(secret, name)):
                start = match.start() if with_head else found.start()
                yield start, found.start() + len(secret)

    return find


def _everywhere(head: str) -> Heads:
    """Heads that are searched in the whole text: their first character must be rare."""
    begins = re.compile(head)
    return lambda searched: begins.finditer(searched.text)


def _at_pieces(head: str, *pieces: str, exact: bool = False) -> Heads:
    """Heads that start with one of these pieces."""
    begins = re.compile(head)

    def heads(searched: SearchedText) -> Iterator[re.Match[str]]:
        places = searched.find_all(pieces, exact=exact)
        return (match for at in places if (match := begins.match(searched.text, at)))

    return heads


def _at_secret_names(head: str) -> Heads:
    """Heads that start with the name of a secret."""
    begins = re.compile(head)

    def heads(searched: SearchedText) -> Iterator[re.Match[str]]:
        return (match for start, _ in searched.secret_names if (match := begins.match(searched.text, start)))

    return heads


def _header_names(searched: SearchedText) -> Iterator[re.Match[str]]:
    """Names of headers, also behind a dot."""
    text = searched.text
    for start, end in searched.named_values:
        match = _HEADER.match(text, max(start, text.rfind(".", start, end) + 1))
        if match is not None:
            yield match


def _environment_names(searched: SearchedText) -> Iterator[re.Match[str]]:
    """Names at the start of a line, also behind `export`."""
    text = searched.text
    for start, _ in searched.secret_names:
        line = max(text.rfind("\n", 0, start) + 1, start - _LONGEST_MARGIN)
        if _LINE_START.fullmatch(text, line, start) and (line == 0 or text[line - 1] == "\n"):
            match = _VARIABLE.match(text, start)
            if match is not None:
                yield match


_NAME = r"(?<![A-Za-z0-9_.\-])(?P<name>[A-Za-z0-9_.\-]+)"
_MARK = r"\[REDACTED\]"
_STRING = r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'"
_LITERAL = rf"{_STRING}|[\"'][^\n]*"
_BARE = _MARK + r"|(?:[^\s\"'<>&;\\]|\\(?![nrt\"']))+"


def _is_value(value: str, name: str) -> bool:
    return not value.startswith("=") and not names_a_secret_only(value, name)


def _is_long_literal(value: str, name: str) -> bool:
    return len(value) >= _SHORTEST_LITERAL and _is_value(value, name)


def _is_machine_word(value: str, name: str) -> bool:
    return len(value) >= _SHORTEST_WORD and is_token_shaped(value) and _is_value(value, name)


def _is_header(value: str, name: str) -> bool:
    if name.lower().endswith("cookie"):
        return "=" in value
    return (
        value == REDACTED or " " in value.strip() or len(value) >= _LONG_CREDENTIAL or is_token_shaped(value)
    )


_SHORTEST_LITERAL = 6
"""Four characters and their quotation marks."""
_SHORTEST_WORD = 6

_HEADER = re.compile(
    r"(?<![A-Za-z0-9_\-])(?P<name>(?:proxy-)?authorization|(?:set-)?cookie|x-[a-z-]{0,24}(?:api-key|token|secret|signature)"
    r"|api-key)[ \t]{0,4}:[ \t]{0,8}",
    re.IGNORECASE,
)
_LINE_START = re.compile(r"[ \t]{0,16}(?:export |set )?", re.IGNORECASE)
_LONGEST_MARGIN = len(" " * 16 + "export ")
_VARIABLE = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_]{0,127})=")


def _inside_quotes(find: Finder) -> Finder:
    """The same secrets without the surrounding quotation marks, so that the rest stays well-formed."""

    def inside(searched: SearchedText) -> Iterator[Span]:
        text = searched.text
        for start, end in find(searched):
            quote = text[start]
            closed = quote in "\"'" and end - start > 1 and text[end - 1] == quote
            yield (start + 1, end - 1) if closed else (start + (quote in "\"'"), end)

    return inside


_JSON_HEAD = re.compile(
    r"(?P<escape>(?<!\\)\\{0,7})(?P<quote>[\"'])(?P<name>[A-Za-z0-9_.\- ]{1,128})(?P=escape)(?P=quote)\s{0,16}:\s{0,16}"
    r"(?:(?P=escape)(?P=quote)(?P<key>[A-Za-z0-9_.\-]{1,128})(?P=escape)(?P=quote)\s{0,16},\s{0,16}"
    r"(?P=escape)(?P=quote)value(?P=escape)(?P=quote)\s{0,16}:\s{0,16})?",
    re.IGNORECASE,
)
_SCALAR = re.compile(r"[^\s,{}\[\]\"'\\]+")
_PLAIN_SCALARS = frozenset({"true", "false", "null"})


_JSON_NAME_START = re.compile(rf"(?<!\\)\\{{0,7}}[\"'][A-Za-z0-9_.\- ]{{0,{LONGEST_NAME}}}+$")
_PAIR_START = re.compile(r"(?<!\\)\\{0,7}[\"'](?:name|key)\\{0,7}[\"']\s{0,16}:\s{0,16}$", re.IGNORECASE)
_LONGEST_PAIR_START = 64


def _json_heads(searched: SearchedText) -> Iterator[re.Match[str]]:
    """Names of fields: of `"token": …`, and of `"name": "token", "value": …`."""
    text = searched.text
    for start, _ in searched.named_values:
        name = _JSON_NAME_START.search(text, max(0, start - LONGEST_NAME - 8), start)
        if name is None:
            continue
        pair = _PAIR_START.search(text, max(0, name.start() - _LONGEST_PAIR_START), name.start())
        match = pair and _JSON_HEAD.match(text, pair.start())
        if match is None or match["key"] is None:
            match = _JSON_HEAD.match(text, name.start())
        if match is not None:
            yield match


def _json_fields(searched: SearchedText) -> Iterator[Span]:
    """Values of sensitive fields in JSON inside text, at any level of quoting."""
    text, covered = searched.text, 0
    for match in _json_heads(searched):
        pair = match["key"] is not None and match["name"].lower() in {"name", "key"}
        name = match["key"] if pair else match["name"]
        if match.start() < covered or not sensitive_name(name):
            continue
        at = match.end() if pair or match["key"] is None else match.start("key") - len(match["escape"]) - 1
        span = _json_value(text, at, match["escape"])
        if span is not None:
            covered = span[1]
            yield span


_ENTITY_FIELD = re.compile(
    r"&(?:quot|#34|#x22);([A-Za-z0-9_.\-]{1,128})&(?:quot|#34|#x22);\s{0,16}:\s{0,16}&(?:quot|#34|#x22);",
    re.IGNORECASE,
)
_ENTITY_QUOTE = re.compile(r"&(?:quot|#34|#x22);", re.IGNORECASE)


def _entity_fields(searched: SearchedText) -> Iterator[Span]:
    """The same in HTML, where quotation marks are entities."""
    text = searched.text
    for match in _ENTITY_FIELD.finditer(text):
        if sensitive_name(match[1]):
            closing = _ENTITY_QUOTE.search(text, match.end())
            end = closing.start() if closing is not None else len(text)
            if end > match.end():
                yield match.end(), end


def _json_value(text: str, at: int, escape: str) -> Span | None:
    first = text[at + len(escape) : at + len(escape) + 1]
    if first and first in "\"'" and text.startswith(escape, at):
        start = at + len(escape) + 1
        end = _string_end(text, start, escape + first)
        return (start, end) if end > start else None
    if text[at : at + 1] in {"{", "["} and not text.startswith(REDACTED, at):
        return at, _bracket_end(text, at)
    scalar = _SCALAR.match(text, at)
    if scalar is None or scalar.group().lower() in _PLAIN_SCALARS or not scalar.group()[0].isdigit():
        return None  # a variable of some program
    return scalar.span()


def _string_end(text: str, start: int, closing: str) -> int:
    """The end of a string whose closing quote has that many backslashes: more of them are inside it."""
    slashes = len(closing) - 1
    for match in re.compile(r"(?<!\\)(\\*)" + closing[-1]).finditer(text, start):
        found = len(match[1])
        if found == slashes or (slashes == 0 and found % 2 == 0):
            return match.end() - 1 - slashes
    return len(text)


_BRACKETS = re.compile(r"\\.|\"(?:[^\"\\]|\\.)*\"|[{}\[\]]", re.DOTALL)


def _bracket_end(text: str, start: int) -> int:
    depth = 0
    for match in _BRACKETS.finditer(text, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
    return len(text)


_TAG = re.compile(r"<(?:input|meta)\b[^<>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?<![\w:-])([\w:-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'<>]++))")


def _tag_values(searched: SearchedText) -> Iterator[Span]:
    """Values of password fields and of fields with sensitive names, in HTML."""
    for tag in _TAG.finditer(searched.text):
        parts = {match[1].lower(): match for match in _ATTRIBUTE.finditer(tag.group())}
        said = {name: match[match.lastindex or 0] for name, match in parts.items()}
        secret = said.get("type", "").lower() == "password" or any(
            sensitive_name(said.get(name, "")) for name in ("name", "id", "property")
        )
        for name in ("value", "content"):
            if secret and said.get(name):
                match = parts[name]
                start, end = match.span(match.lastindex or 0)
                yield tag.start() + start, tag.start() + end


_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----")
_KEY_BLOCK_END = re.compile(r"-----END [A-Z ]{0,40}PRIVATE KEY-----")


def _key_blocks(searched: SearchedText) -> Iterator[Span]:
    text, covered = searched.text, 0
    for match in _KEY_BLOCK.finditer(text):
        if match.start() < covered:
            continue
        end = _KEY_BLOCK_END.search(text, match.end())
        covered = end.end() if end else len(text)
        yield match.start(), covered


_QUERY_NAME = r"(?P<name>[A-Za-z0-9_.\-\[\]]{1,128})=(?!=)"
_QUERY_VALUE = r"[^&#\s\"'<>\\]+"
_TOKEN_STARTS = (
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "xoxa-",
    "xoxb-", "xoxp-", "xoxr-", "xoxs-", "AKIA", "ASIA", "glpat-", "AIza", "npm_", "pypi-", "whsec_",
)  # fmt: skip
_AT_UNDERSCORES = tuple(start for start in _TOKEN_STARTS if start.endswith("_"))
_OTHER_BEGINNINGS = tuple(sorted({start[:3] for start in _TOKEN_STARTS if not start.endswith("_")}))


def _at_token_starts() -> Heads:
    """Starts of tokens. Text is searched for what many of them share: a search for each takes three times as long."""
    begins = re.compile(rf"(?<![A-Za-z0-9_\-])(?:{'|'.join(_TOKEN_STARTS)})")
    underscore = re.compile("_(?:" + "|".join(f"(?<={start})" for start in _AT_UNDERSCORES) + ")")

    def heads(searched: SearchedText) -> Iterator[re.Match[str]]:
        text = searched.text
        places = searched.find_all(_OTHER_BEGINNINGS, exact=True)
        ends = [found.end() for found in underscore.finditer(searched.part.text)]
        for end in searched.note_places("_", ends):
            places += [end - len(start) for start in _AT_UNDERSCORES if text.endswith(start, 0, end)]
        return (match for at in sorted(places) if (match := begins.match(text, at)))

    return heads


RULES: tuple[SecretRule, ...] = (
    SecretRule("user in a URL", _after(_at_pieces("://", "://"), r"[^\s/?#\"'<>\\]*(?=@)")),
    SecretRule(
        "value in a URL",
        _after(
            _at_pieces(rf"[?&#;](?<!&[?&#;])(?i:amp;)?{_QUERY_NAME}", "?", "&", "#", ";", exact=True),
            _QUERY_VALUE,
            named=sensitive_query_name,
            trim=").,;]",
        ),
        guard="=",
    ),
    SecretRule(
        "value in a URL in JSON",
        _after(
            _at_pieces(r"\\u0026" + _QUERY_NAME, r"\u0026"), _QUERY_VALUE, named=sensitive_query_name, trim=").,;]"
        ),
    ),
    SecretRule(
        "value in a URL within a URL",
        _after(
            _everywhere(r"(?i:%(?:3F|26|23)(?P<name>[A-Za-z0-9_.\-]{1,128})%3D)"),
            r"(?:[^&#\s\"'<>\\%]|%(?!2[0236]|0[AaDd]))+",
            named=sensitive_query_name,
        ),
        needs=("%3d",),
    ),
    SecretRule(
        "header",
        _after(
            _header_names,
            rf"{_MARK}|(?:[^\r\n\"'<>\\]|(?<==)\"[^\"\r\n]{0,4096}\")+",
            wanted=_is_header,
        ),
    ),
    SecretRule(
        "credential",
        _after(
            _at_pieces(r"(?<![A-Za-z0-9_])(?i:bearer|basic)(?:[ \t]{1,4}|%20|\+)", "bearer", "basic"),
            r"[A-Za-z0-9._~+/=\-]{6,}",
            wanted=lambda value, _: is_credential_shaped(value),
            trim=".",
        ),
    ),
    SecretRule("environment line", _after(_environment_names, rf"{_STRING}|\S+", wanted=_is_value)),
    SecretRule(
        "assignment",
        _inside_quotes(
            _after(
                _at_secret_names(_NAME + r"=(?!=)"), f"{_LITERAL}|{_BARE}", wanted=_is_value, trim=",:)]}`"
            )
        ),
    ),
    SecretRule(
        "literal assignment",
        _inside_quotes(
            _after(
                _at_secret_names(_NAME + r"[ \t]{0,16}[:=][ \t]{0,16}(?=[\"'])"),
                _STRING,
                wanted=_is_long_literal,
            )
        ),
    ),
    SecretRule(
        "named value",
        _after(
            _at_secret_names(_NAME + r":[ \t]{0,16}(?![\"'])"), _BARE, wanted=_is_machine_word, trim=".,:)]}`"
        ),
    ),
    SecretRule(
        "command-line option",
        _inside_quotes(
            _after(
                _at_pieces(r"(?<![\w-])--(?P<name>[A-Za-z][A-Za-z0-9-]{0,63})[ \t]{1,4}(?!-)", "--"),
                f"{_STRING}|{_BARE}",
                named=sensitive_name,
                wanted=_is_value,
            )
        ),
    ),
    SecretRule("field in JSON", _json_fields),
    SecretRule("field in JSON in HTML", _entity_fields, needs=("&quot;", "&#34;", "&#x22;")),
    SecretRule("field in HTML", _tag_values, needs=("<input", "<meta")),
    SecretRule(
        "JSON web token",
        _after(
            _at_pieces(r"(?<![A-Za-z0-9_\-])eyJ", "eyJ", exact=True),
            r"[A-Za-z0-9_\-]{5,}\.[A-Za-z0-9_\-]{2,}(?:\.[A-Za-z0-9_\-]*){1,3}",
            with_head=True,
        ),
    ),
    SecretRule(
        "token with a known prefix",
        _after(
            _at_token_starts(),
            r"[A-Za-z0-9_\-]{16,}",
            wanted=lambda value, _: any(char.isdigit() for char in value),
            with_head=True,
        ),
    ),
    SecretRule("private key", _key_blocks, needs=("private key-----",)),
)  # fmt: skip


def find_secrets(text: str) -> Iterator[Span]:
    """Where the rules find secrets; spans may overlap."""
    searched = SearchedText(text)
    for rule in RULES:
        if rule.guard in searched.part.text and (not rule.needs or searched.has_any(rule.needs)):
            yield from rule.find(searched)
    searched.remember_quiet_lines()

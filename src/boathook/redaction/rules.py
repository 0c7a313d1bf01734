"""Recognizing unknown secrets: by names of fields, and by the shapes of credentials in text.

Each rule finds the start of a secret with a pattern that looks at every character a bounded number of times, and its
end by reading on once; what a rule has covered it does not look at again. So all of them take linear time.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from boathook.redaction.secret import REDACTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[int, int]


def words_of(text: str) -> frozenset[str]:
    """A set of words, from a space-separated string."""
    return frozenset(text.split())


_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "api key", "access key", "private key", "secret key", "signing key", "encryption key", "auth key",
        "sentry key", "write key", "account key", "secrets", "passwords", "passphrase", "pwd", "credential",
        "credentials", "database url", "db url", "connection string", "mongo uri", "mongodb uri", "mongo url",
        "redis url", "authorization", "bearer", "cookie", "session id", "sessid", "signature", "otp",
    )
)  # fmt: skip
_WORD_ENDS = (
    "token",
    "secret",
    "password",
    "passwd",
    "apikey",
    "accesskey",
    "privatekey",
    "sessionid",
    "sessid",
)
"""Suffixes of single words too, since `accesstoken` and `PGPASSWORD` are common."""
_NOT_THE_SECRET = words_of(
    "type types expiry expires expiration expire ttl count counts length size limit strength hint file path name"
    " names policy field fields banner consent label page placeholder min max visible required enabled disabled valid"
    " invalid error errors message index prompt reset jar manager autocomplete mismatch status state style class color"
    " usage budget format algorithm in at on version location endpoint uri url uris urls settings preferences store stdin"
)
"""A name with this suffix is only about a secret: its length, where it is stored."""
_QUESTIONS = words_of("is has show hide max min num use require forgot allow enable disable need needs")
_QUERY_NAMES = words_of(
    "access_token api_key apikey auth authorization bearer client_secret code cookie id_token key pass password passwd"
    " pwd refresh_token secret sentry_key session_id sessionid session sid sig signature token write_key ticket otp"
    " jwt assertion samlresponse code_verifier x-amz-signature x-amz-credential x-amz-security-token"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
LONGEST_NAME = 128


def sensitive_name(name: str) -> bool:
    """Whether a field of this name, in snake, kebab or camel case, contains a secret."""
    return _names_a_secret(name[-LONGEST_NAME:])


@lru_cache(maxsize=4096)
def _names_a_secret(name: str) -> bool:
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or words[0] in _QUESTIONS:
        return False
    for phrase in _PHRASES:
        if any(tuple(words[at : at + len(phrase)]) == phrase for at in range(len(words))):
            ends_with_it = tuple(words[-len(phrase) :]) == phrase
            return ends_with_it or words[-1] not in _NOT_THE_SECRET
    if words[-1] in _NOT_THE_SECRET:
        return False
    return any(word.endswith(_WORD_ENDS) for word in words)


def sensitive_query_name(name: str) -> bool:
    """Whether a URL parameter of this name is a secret; URLs use short names for them."""
    return name.lower() in _QUERY_NAMES or sensitive_name(name)


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
    """One way to find secrets; `needs` are pieces of lower-case text, at least one of which must occur."""

    name: str
    needs: tuple[str, ...]
    find: Callable[[str], Iterator[Span]]


def _after(
    head: str,
    value: str,
    *,
    named: Callable[[str], bool] | None = None,
    wanted: Callable[[str, str], bool] | None = None,
    with_head: bool = False,
    trim: str = "",
) -> Callable[[str], Iterator[Span]]:
    """Secrets that follow a head; `named` judges the head's group `name`, `wanted` the value with it."""
    begins, reads = re.compile(head, re.IGNORECASE), re.compile(value)

    def find(text: str) -> Iterator[Span]:
        covered = 0
        for match in begins.finditer(text):
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

_HEADERS = r"(?P<name>(?:proxy-)?authorization|(?:set-)?cookie|x-[a-z-]{0,24}(?:api-key|token|secret|signature)|api-key)"


def _inside_quotes(find: Callable[[str], Iterator[Span]]) -> Callable[[str], Iterator[Span]]:
    """The same secrets without the surrounding quotation marks, so that the rest stays well-formed."""

    def inside(text: str) -> Iterator[Span]:
        for start, end in find(text):
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


def _json_fields(text: str) -> Iterator[Span]:
    """Values of sensitive fields in JSON inside text, at any level of quoting."""
    covered = 0
    for match in _JSON_HEAD.finditer(text):
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


def _entity_fields(text: str) -> Iterator[Span]:
    """The same in HTML, where quotation marks are entities."""
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


def _tag_values(text: str) -> Iterator[Span]:
    """Values of password fields and of fields with sensitive names, in HTML."""
    for tag in _TAG.finditer(text):
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


def _key_blocks(text: str) -> Iterator[Span]:
    covered = 0
    for match in _KEY_BLOCK.finditer(text):
        if match.start() < covered:
            continue
        end = _KEY_BLOCK_END.search(text, match.end())
        covered = end.end() if end else len(text)
        yield match.start(), covered


_STEMS = (
    "pass", "pwd", "token", "secret", "key", "cred", "url", "uri", "connection", "auth", "bearer", "cookie", "sess",
    "signature", "otp",
)  # fmt: skip
"""Every sensitive name contains one of these."""

RULES: tuple[SecretRule, ...] = (
    SecretRule("user in a URL", ("://",), _after(r"://", r"[^\s/?#\"'<>\\]*(?=@)")),
    SecretRule(
        "value in a URL",
        ("=",),
        _after(
            r"(?:(?<!&)[?&#;](?:amp;)?|\\u0026)(?P<name>[A-Za-z0-9_.\-\[\]]{1,128})=(?!=)",
            r"[^&#\s\"'<>\\]+",
            named=sensitive_query_name,
            trim=").,;]",
        ),
    ),
    SecretRule(
        "value in a URL within a URL",
        ("%3d",),
        _after(
            r"%(?:3F|26|23)(?P<name>[A-Za-z0-9_.\-]{1,128})%3D",
            r"(?:[^&#\s\"'<>\\%]|%(?!2[0236]|0[AaDd]))+",
            named=sensitive_query_name,
        ),
    ),
    SecretRule(
        "header",
        (":",),
        _after(
            rf"(?<![A-Za-z0-9_\-]){_HEADERS}[ \t]{{0,4}}:[ \t]{{0,8}}",
            rf"{_MARK}|(?:[^\r\n\"'<>\\]|(?<==)\"[^\"\r\n]{0,4096}\")+",
            wanted=_is_header,
        ),
    ),
    SecretRule(
        "credential",
        ("bearer", "basic"),
        _after(
            r"(?<![A-Za-z0-9_])(?:bearer|basic)(?:[ \t]{1,4}|%20|\+)",
            r"[A-Za-z0-9._~+/=\-]{6,}",
            wanted=lambda value, _: is_credential_shaped(value),
            trim=".",
        ),
    ),
    SecretRule(
        "environment line",
        ("=",),
        _after(
            r"(?:^|(?<=\n))[ \t]{0,16}(?:export |set )?(?P<name>[A-Z][A-Z0-9_]{0,127})=",
            rf"{_STRING}|\S+",
            named=sensitive_name,
            wanted=_is_value,
        ),
    ),
    SecretRule(
        "assignment",
        ("=",),
        _inside_quotes(
            _after(_NAME + r"=(?!=)", f"{_LITERAL}|{_BARE}", named=sensitive_name, wanted=_is_value, trim=",:)]}`")
        ),
    ),
    SecretRule(
        "literal assignment",
        ("=", ":"),
        _inside_quotes(
            _after(
                _NAME + r"[ \t]{0,16}[:=][ \t]{0,16}(?=[\"'])",
                _STRING,
                named=sensitive_name,
                wanted=_is_long_literal,
            )
        ),
    ),
    SecretRule(
        "named value",
        (":",),
        _after(
            _NAME + r":[ \t]{0,16}(?![\"'])", _BARE, named=sensitive_name, wanted=_is_machine_word, trim=".,:)]}`"
        ),
    ),
    SecretRule(
        "command-line option",
        ("--",),
        _inside_quotes(
            _after(
                r"(?<![\w-])--(?P<name>[A-Za-z][A-Za-z0-9-]{0,63})[ \t]{1,4}(?!-)",
                f"{_STRING}|{_BARE}",
                named=sensitive_name,
                wanted=_is_value,
            )
        ),
    ),
    SecretRule("field in JSON", ('"', "'"), _json_fields),
    SecretRule("field in JSON in HTML", ("&quot;", "&#34;", "&#x22;"), _entity_fields),
    SecretRule("field in HTML", ("<input", "<meta"), _tag_values),
    SecretRule(
        "JSON web token",
        ("eyj",),
        _after(
            r"(?<![A-Za-z0-9_\-])(?-i:eyJ)",
            r"[A-Za-z0-9_\-]{5,}\.[A-Za-z0-9_\-]{2,}(?:\.[A-Za-z0-9_\-]*){1,3}",
            with_head=True,
        ),
    ),
    SecretRule(
        "token with a known prefix",
        ("gh", "sk-", "sk_", "xox", "akia", "asia", "glpat-", "aiza", "npm_", "pypi-", "rk_", "whsec_"),
        _after(
            r"(?<![A-Za-z0-9_\-])(?-i:gh[pousr]_|github_pat_|sk-|[sr]k_(?:live|test)_|xox[abprs]-|AKIA|ASIA|glpat-|AIza"
            r"|npm_|pypi-|whsec_)",
            r"[A-Za-z0-9_\-]{16,}",
            wanted=lambda value, _: any(char.isdigit() for char in value),
            with_head=True,
        ),
    ),
    SecretRule("private key", ("private key-----",), _key_blocks),
)  # fmt: skip

_NAMED = frozenset(
    {"environment line", "assignment", "literal assignment", "named value", "command-line option"}
)


def find_secrets(text: str) -> Iterator[Span]:
    """Where the rules find secrets; spans may overlap."""
    lowered = text.lower()
    has_name = any(stem in lowered for stem in _STEMS)
    for rule in RULES:
        if rule.name in _NAMED and not has_name:
            continue
        if any(need in lowered for need in rule.needs):
            yield from rule.find(text)

"""Redaction: secrets go in whatever form they come, and everything else stays."""

import base64
import html
import json
import re
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boathook.redaction import encoded_runs, known_secrets, rules, stored_values
from boathook.redaction import redactor as redactor_module
from boathook.redaction.redactor import REDACTED, Redactor
from boathook.redaction.secret import Secret
from boathook.redaction.stored_values import hide_private
from tests.support.thorough import THOROUGH

SECRETS = (
    "hunter2-Tiger", "correct horse battery", "p@ss/wörd+1&x=2", "Zx9!kL#mQ2$vB7", "秘密のパスワード42", "a\"b'c\\d<e>f",
    "9f8e7d6c5b4a39281706", "QWxhZGRpbjpvcGVu", "tab\tand\nline", "🔑🗝️key-to-all", "..//..//etc", "100%sure%20thing",
    "&amp;&#65;entity", "UPPER-lower-0001", "ends-with-equals==", "_-_-_-_-_-_", "0x41 0x42 0x43", "${NOT_A_VARIABLE}x",
    "xyzzy6", "longer" * 40,
)  # fmt: skip


def split(secret, between):
    return between.join((secret[: len(secret) // 2], secret[len(secret) // 2 :]))


def in_base64(secret, *, before=b"", after=b"", url=False):
    encode = base64.urlsafe_b64encode if url else base64.b64encode
    return encode(before + secret.encode() + after).decode()


FORMS: dict[str, Callable[[str], str]] = {
    "plain": lambda secret: secret,
    "url": urllib.parse.quote,
    "url, nothing safe": lambda secret: urllib.parse.quote(secret, safe=""),
    "url, plus": urllib.parse.quote_plus,
    "url, every byte": lambda secret: "".join(f"%{byte:02x}" for byte in secret.encode()),
    "url, twice": lambda secret: urllib.parse.quote(urllib.parse.quote(secret, safe=""), safe=""),
    "json": lambda secret: json.dumps(secret)[1:-1],
    "json, unicode": lambda secret: json.dumps(secret, ensure_ascii=False)[1:-1],
    "json in json": lambda secret: json.dumps(json.dumps(secret)),
    "json, slashes": lambda secret: json.dumps(secret)[1:-1].replace("/", "\\/"),
    "every unit escaped": lambda secret: "".join(
        f"\\u{secret.encode('utf-16-be')[at : at + 2].hex()}"
        for at in range(0, len(secret.encode("utf-16-be")), 2)
    ),
    "javascript code points": lambda secret: "".join(f"\\u{{{ord(char):x}}}" for char in secret),
    "html": html.escape,
    "html, decimal": lambda secret: "".join(f"&#{ord(char)};" for char in secret),
    "html, hexadecimal": lambda secret: "".join(f"&#x{ord(char):08X};" for char in secret),
    "html in json": lambda secret: json.dumps(html.escape(secret)),
    "base64": in_base64,
    "base64, one before": lambda secret: in_base64(secret, before=b"x"),
    "base64, two before": lambda secret: in_base64(secret, before=b"xy"),
    "base64, user before": lambda secret: in_base64(secret, before=b"user:", after=b":more"),
    "base64, for addresses": lambda secret: in_base64(secret, url=True).rstrip("="),
    "base64 in an address": lambda secret: urllib.parse.quote(in_base64(secret), safe=""),
    "hex": lambda secret: secret.encode().hex(),
    "hex, capitals": lambda secret: secret.encode().hex().upper(),
    "hex, colons": lambda secret: secret.encode().hex(":"),
    "reversed": lambda secret: secret[::-1],
    "base64, twice": lambda secret: base64.b64encode(in_base64(secret).encode()).decode(),
    "base64 of UTF-16": lambda secret: base64.b64encode(secret.encode("utf-16-le")).decode(),
    "hex of UTF-16": lambda secret: secret.encode("utf-16-be").hex(),
    "zero bytes between": lambda secret: (
        secret.encode("utf-16-le").decode("latin-1") if secret.isascii() else secret
    ),
    "character codes": lambda secret: ", ".join(str(ord(char)) for char in secret),
    "character codes, a line each": lambda secret: "\n".join(str(ord(char)) for char in secret),
    "octal codes": lambda secret: " ".join(f"{ord(char):o}" for char in secret),
    "octal escapes": lambda secret: "".join(f"\\{byte:03o}" for byte in secret.encode()),
}
FOR_LONG_ONES: dict[str, Callable[[str], str]] = {
    "split by a tag": lambda secret: split(secret, "</b><i class='x'>"),
    "split over elements of a snapshot": lambda secret: split(secret, '" @e4 [level=2]\n      link "'),
    "split by marks of Markdown": lambda secret: split(secret, "**" if secret.strip("_-") else "\n"),
    "split over items of a list": lambda secret: split(secret, '", "'),
    "split over lines of a snapshot": lambda secret: split(secret, '"\n    "'),
    "split by a character nobody sees": lambda secret: split(secret, "\u200b"),
    "split by a line": lambda secret: split(secret, "\n"),
}


@pytest.mark.parametrize("start", rules._TOKEN_STARTS)
def test_tokens_are_found_by_each_of_their_starts(start):
    token, redact = f"{start}abcdef0123456789xyz", Redactor().text
    assert redact(f"see ({token}), é {token}") == f"see ({REDACTED}), é {REDACTED}"
    assert redact(f"see x{token} and _ {start}") == f"see x{token} and _ {start}"


@pytest.mark.parametrize("form", [*FORMS, *FOR_LONG_ONES])
def test_a_known_secret_goes_in_every_form(form):
    redactor = Redactor(SECRETS)
    for secret in SECRETS:
        if form.startswith("base64") and len(secret.encode()) < 6:
            continue
        said = {**FORMS, **FOR_LONG_ONES}[form](secret)
        for text in (said, f"before {said} after", f'<p title="{said}">x</p>'):
            clean = redactor.text(text)
            assert said not in clean, (secret, text)
            assert secret not in clean
            assert REDACTED in clean


def test_what_stands_around_a_known_secret_stays():
    clean = Redactor(["hunter2-Tiger"]).text("page “Ünï” says %68unter2-Tiger, and aHVudGVyMi1UaWdlcg too ✓")
    assert clean == f"page “Ünï” says {REDACTED}, and {REDACTED} too ✓"


@given(
    st.text(min_size=6, max_size=40),
    st.text(max_size=80),
    st.text(max_size=80),
    st.sampled_from(sorted(FORMS)),
)
@settings(max_examples=300, deadline=None)
def test_any_text_can_be_a_secret(secret, before, after, form):
    if len(secret.encode("utf-8", "surrogatepass")) < 6 or len(secret.strip()) < 6 or "\x00" in secret:
        return
    said = FORMS[form](secret)
    clean = Redactor([secret]).text(f"{before} {said} {after}")
    if said not in f"{REDACTED} {before} {after}":
        assert said not in clean


def test_a_secret_of_three_characters_is_not_looked_for_and_this_is_said():
    redactor = Redactor(["abc", "long-enough"])
    assert redactor.too_short == 1
    assert redactor.text("abc long-enough") == f"abc {REDACTED}"


@pytest.mark.parametrize("size", [1, 7, 64, 1000, 100_000])
def test_a_secret_cut_in_two_by_pieces_is_found(size):
    redactor = Redactor(["hunter2-Tiger"])
    line = "some words, then hunter2-Tiger and %68unter2-%54iger and\nCookie: a=b; c=d\npassword=abc1 next\n"
    text = line * 600
    stream = redactor.stream()
    pieces = [stream.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join([*pieces, stream.finish()]) == redactor.text(text)
    assert "unter2" not in redactor.text(text)


def test_a_stream_lets_text_go_before_its_end():
    stream = Redactor().stream()
    shown = sum(len(stream.feed("words without end\n")) for _ in range(20_000))
    assert shown > 200_000


SAID = {
    "https://ada:enigma@example.org/x": f"https://{REDACTED}@example.org/x",
    "https://x.org/?q=1&access_token=tt&z=2#id_token=uu": f"https://x.org/?q=1&access_token={REDACTED}&z=2#id_token={REDACTED}",
    "/callback?code=4/abc&state=xyz": f"/callback?code={REDACTED}&state=xyz",
    "<a href='?a=1&amp;sig=abc'>": f"<a href='?a=1&amp;sig={REDACTED}'>",
    "/in?next=%2Fa%3Ftoken%3Dabc%26x%3D1": f"/in?next=%2Fa%3Ftoken%3D{REDACTED}%26x%3D1",
    "Authorization: Bearer abc": f"Authorization: {REDACTED}",
    "curl -H 'Cookie: a=b; c=d' http://x": f"curl -H 'Cookie: {REDACTED}' http://x",
    "< Set-Cookie: sid=31d4d96e; Path=/": f"< Set-Cookie: {REDACTED}",
    "X-Api-Key: 0a1b2c3d": f"X-Api-Key: {REDACTED}",
    "sent Bearer mF_9.B5f-4.1JqM along": f"sent Bearer {REDACTED} along",
    "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==": f"Basic {REDACTED}",
    "API_KEY=abcd1234 ./run": f"API_KEY={REDACTED} ./run",
    "export DB_PASSWORD='x y z'": f"export DB_PASSWORD={REDACTED}",
    "then clientSecret=abc&more": f"then clientSecret={REDACTED}&more",
    'apiKey: "abcd1234",': f'apiKey: "{REDACTED}",',
    "password: abc12345": f"password: {REDACTED}",
    "login --password hunter2 --user ada": f"login --password {REDACTED} --user ada",
    'x {"password":"a\\"b","n":1} y': f'x {{"password":"{REDACTED}","n":1}} y',
    '"{\\"refreshToken\\":\\"ab\\\\\\"c\\",\\"n\\":1}"': f'"{{\\"refreshToken\\":\\"{REDACTED}\\",\\"n\\":1}}"',
    '{"credentials":{"a":["]"]},"z":2}': f'{{"credentials":{REDACTED},"z":2}}',
    '{"name":"session_id","value":"zz","path":"/"}': f'{{"name":"session_id","value":"{REDACTED}","path":"/"}}',
    "<input type=password value='abc'>": f"<input type=password value='{REDACTED}'>",
    '<meta content="abc" name="csrf-token">': f'<meta content="{REDACTED}" name="csrf-token">',
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln ok": f"{REDACTED} ok",
    "ghp_abcdefghijklmnopqrst1234 ok": f"{REDACTED} ok",
    "-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nok": f"{REDACTED}\nok",
}  # fmt: skip


@pytest.mark.parametrize("text", SAID)
def test_what_gives_itself_away_is_taken_out(text):
    assert Redactor().text(text) == SAID[text]
    assert Redactor().text(SAID[text]) == SAID[text]


HARMLESS = (
    "Basic understanding of bearer instruments is required. Cookie: a small cake. Password: required.",
    "Forgot your password? The token economy; the secret of a good key is its signature.",
    "We sell keys: 5, tokens: many, secrets: none. Authorization: pending",
    'textbox "Password" @e8 [invalid] = "••••"\nbutton "Sign in" @e9\nlink "Forgot password?" @e10',
    "if (token==null) token = getToken();\nf(password=password, token=self.token, key=3)",
    "max_tokens=5 token_type=bearer password_file=/run/x cookie_banner=shown showPassword=true",
    "for key, value in sorted(items): total += value",
    "https://example.org/a?q=browser&page=2#top and mailto:ada@example.org",
    "request 4711.23 of 8F0B3C2A1D4E5F60718293A4B5C6D7E8 answered 200, @e12 @e13, tab=t1 revision=7",
    '{"key":"Enter","code":"KeyA","requestId":"1000.12","session":"default","cookies":[],"token":null}',
    "API_KEY=$API_KEY PASSWORD=env:PASSWORD TOKEN=<your token>",
)


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_text_is_left_alone(text):
    assert Redactor(["hunter2-Tiger"]).text(text) == text


def test_every_snapshot_of_the_golden_files_is_left_alone():
    files = sorted(Path("tests/golden").glob("*.txt"))
    assert files
    for file in files:
        text = file.read_text()
        assert Redactor(SECRETS).text(text) == text, file


def test_prose_of_our_own_documents_is_left_alone():
    for name in ("ARCHITECTURE.md", "AGENTS.md", "README.md"):
        text = Path(name).read_text()
        assert Redactor().text(text) == text, name


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Nd", "Zs"], include_characters=".,!?()-\n")))
@settings(deadline=None)
def test_text_of_words_and_numbers_is_left_alone(text):
    if "--" not in text and "basic" not in text.lower() and "bearer" not in text.lower():
        assert Redactor().text(text) == text


PARTS = st.sampled_from(
    ["token", "password", "=", ":", '"', "'", "\\", "{", "}", "[", "]", " ", "\n", "?", "&", "://", "@", "a1b2c3", "Bearer ",
     "Cookie: ", REDACTED, "eyJabcdef", ".", "<input ", "value=", ">", "--", "%3D", "%26", ",", "x", "é"]
)  # fmt: skip


@given(st.lists(PARTS, max_size=30).map("".join))
@settings(max_examples=400, deadline=None)
@example('token="[REDACTED]')
def test_what_was_redacted_once_holds_no_secret_for_the_second_time(text):
    redactor = Redactor(["a1b2c3"])
    once = redactor.text(text)
    assert "a1b2c3" not in once
    assert len(redactor.text(once)) <= len(once) + 2 * len(REDACTED)


NAMES = ("api_key", "API-Key", "apiKey", "APIKey", "x-api-key", "accessToken", "access_token", "accesstoken", "PGPASSWORD",
         "client_secret", "Set-Cookie", "proxy-authorization", "sessionId", "SESSION_ID", "DATABASE_URL", "dbUrl", "redis-url",
         "connectionString", "mongoUri", "SECRET_KEY_BASE", "credentials", "sentryKey", "write_key", "passwd", "signature")  # fmt: skip
PLAIN_NAMES = ("key", "name", "token_type", "max_tokens", "passwordStrength", "cookie_banner", "session", "monkey", "author",
               "secretary", "requestId", "url", "has_token", "cookies", "keyboard", "compass", "tokenizer", "code", "ref")  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_field_with_a_sensitive_name_loses_its_value(name):
    assert Redactor().value({name: {"deep": [1]}, "n": 1}) == {name: REDACTED, "n": 1}


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_a_field_with_another_name_keeps_its_value(name):
    assert Redactor().value({name: "plain"}) == {name: "plain"}


def test_values_are_looked_through_and_keep_their_shape():
    redactor = Redactor(["hunter2-Tiger", "123456"])
    cookie = {"name": "theme", "value": "dark", "domain": "x.org"}
    value = {
        "a": ["hunter2-Tiger", 123456, 7, None, True, 1.5],
        "hunter2-Tiger": 1,
        "cookies": [cookie],
        "token": "",
    }
    assert redactor.value(value) == {
        "a": [REDACTED, REDACTED, 7, None, True, 1.5],
        REDACTED: 1,
        "cookies": [{**cookie, "value": REDACTED}],
        "token": "",
    }


def test_names_that_redaction_makes_equal_stay_apart():
    assert len(Redactor(["secret-1", "secret-2"]).value({"secret-1": 1, "secret-2": 2})) == 2


def test_what_lies_too_deep_is_taken_out_whole():
    deep: Any = "bottom"
    for _ in range(5000):
        deep = [deep]
    clean = json.dumps(Redactor().value(deep))
    assert "bottom" not in clean
    assert REDACTED in clean


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("login --password hunter2 -v", f"login --password {REDACTED} -v"),
        ("login --password=hunter2", f"login --password={REDACTED}"),
        ("goto http://x --headers a:b --proxy=c", f"goto http://x --headers {REDACTED} --proxy={REDACTED}"),
        ("set credentials ada enigma", f"set credentials {REDACTED} {REDACTED}"),
        ("--session s cookies set theme dark", f"--session s cookies set theme {REDACTED}"),
        ("storage local set k v", f"storage local set k {REDACTED}"),
        ("clipboard write a b", f"clipboard write {REDACTED} {REDACTED}"),
        ("sign --one-time-code 123 x", f"sign --one-time-code {REDACTED} x"),
        ("click @e12 --timeout 5", "click @e12 --timeout 5"),
        ("open https://a:b@x.org/?token=c", f"open https://{REDACTED}@x.org/?token={REDACTED}"),
    ],
)
def test_command_lines_are_shown_without_secret_values(line, shown):
    assert Redactor().argv(line.split(), ["one_time_code"]) == shown.split()


def test_named_arguments_lose_those_that_the_command_calls_secret():
    clean = Redactor().arguments(
        {"text": "hello", "answer": "x", "password": "y", "target": "@e3"}, ["answer"]
    )
    assert clean == {"text": "hello", "answer": REDACTED, "password": REDACTED, "target": "@e3"}


def test_storage_keeps_settings_and_hides_who_the_user_is():
    stored = hide_private(
        {
            "theme": "dark", "sidebar_width": "240", "debug": "false", "auth": "x", "userProfile": "{}", "sid": "1",
            "note": "write to ada@example.org", "blob": "Ab0" * 12, "last": "Bearer abc123def", "misc": "my password",
        }
    )  # fmt: skip
    shown = {key: item for key, item in stored.items() if not isinstance(item, Secret)}
    assert shown == {"theme": "dark", "sidebar_width": "240", "debug": "false"}
    assert cast("Secret", stored["note"]).reason == "email"


def test_a_secret_that_a_page_shows_in_capitals_goes_too():
    assert (
        Redactor(["größer-als-42"]).text("GRÖSSER-ALS-42 grösse Größer-Als-42")
        == f"{REDACTED} grösse {REDACTED}"
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_known_secret_goes_from_values_and_their_json(form):
    secret = "hunter2-Tiger/ö 9"
    said = FORMS[form](secret)
    redactor = Redactor([secret])
    value = {"list": [said, {"deep": f"x {said} y"}], said: 1}
    assert said not in str(redactor.value(value))
    clean = redactor.text(json.dumps(value))
    assert json.dumps(said)[1:-1] not in clean
    assert said not in clean


LARGE = 1_000_000 if THOROUGH else 300_000
HOSTILE = (
    "a", "\\", "%25", "&amp;amp;", 'token="', "token='\\", '"token":{', '"token":"', "://", "?token=?", "<input ", "a-",
    "eyJaaaaaa.", "bearer ", "cookie:", '\\"', '"token": {\\"', "-----BEGIN PRIVATE KEY-----", REDACTED, "token: ", " ",
    "--token ", "1 ", "1,", '", "', '" @e1\n link "', "**", 'token = "\\', "%3Ftoken%3D", "&#0", "%25&amp;\\\\x", "x-token-", "<meta a='", "token =", "@",
)  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_large_text_made_to_be_slow_is_got_through(unit):
    # Quadratic work would take many minutes here; the suite's own time limit is the judge.
    text = unit * (LARGE // len(unit))
    assert isinstance(Redactor(["a" * 500 + "b"]).text(text), str)


def _patterns():
    sources = []
    for module in (encoded_runs, known_secrets, redactor_module, rules, stored_values):
        sources += [(module.__name__, var) for var in vars(module).values() if isinstance(var, re.Pattern)]
    for rule in rules.RULES:
        sources += [(rule.name, pattern) for pattern in _enclosed_patterns(rule.find)]
    return sources


def _enclosed_patterns(function):
    for cell in function.__closure__ or ():
        if isinstance(cell.cell_contents, re.Pattern):
            yield cell.cell_contents
        elif hasattr(cell.cell_contents, "__closure__"):
            yield from _enclosed_patterns(cell.cell_contents)


def _unbounded_inside_unbounded(parsed, *, inside=False):
    from re import _constants as names  # type: ignore[attr-defined]
    from re import _parser  # type: ignore[attr-defined]

    for operation, argument in parsed:
        backtracks = operation in (names.MAX_REPEAT, names.MIN_REPEAT)
        unbounded = backtracks and argument[1] is names.MAXREPEAT
        if unbounded and inside:
            return True
        for part in argument if isinstance(argument, (tuple, list)) else (argument,):
            for branch in part if isinstance(part, list) else (part,):
                if isinstance(branch, _parser.SubPattern) and _unbounded_inside_unbounded(
                    branch, inside=inside or unbounded
                ):
                    return True
    return False


def test_no_pattern_can_backtrack_without_bound():
    from re import _parser  # type: ignore[attr-defined]

    assert _unbounded_inside_unbounded(_parser.parse("(?:a+)+b"))
    patterns = _patterns()
    assert len(patterns) > 30
    for name, pattern in patterns:
        assert not _unbounded_inside_unbounded(_parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)), (
            name
        )


@pytest.mark.parametrize("letter", ["İ", "ß", "ﬁ", "\U0001f600"])
def test_letters_that_change_their_length_in_another_case_do_not_move_what_is_removed(letter):
    text = f"{letter * 40} password={letter}s3cret77 rest"
    assert Redactor().text(text) == f"{letter * 40} password=[REDACTED] rest"


def test_many_names_in_one_run_are_looked_at_once():
    for text in ("key" * 300_000, "key " * 200_000, '"api key' * 100_000, "token.key-" * 100_000):
        assert Redactor().text(text) == text

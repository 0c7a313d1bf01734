"""Lines in which no rule can begin are not searched again; what is found stays the same in any order and company."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathook.redaction import quiet_lines
from boathook.redaction.rules import RULES, find_secrets

PIECES = (
    "password: hunter2xY1", "token=abc123DEF456", '"secret": "', 'value 123" ok', '"api_key": {', '"x": 1}', "see https://user:pw1@host.example/",
    "open http://host.example/?token=abcdef123&x=1", "what? no", "x=1", "a & b", "&quot;token&quot;: &quot;abc123&quot;", "&#34;token&#34;:&#34;xyz123&#34;",
    "<input type=password value=abc123>", "<meta name=csrf-token", "content=abc123>", "-----BEGIN RSA PRIVATE KEY-----", "MIIEabc", "-----END RSA PRIVATE KEY-----",
    "eyJhbGciOiJI.eyJzdWIiOi.abcdef", "ghp_0123456789abcdef0123", "sk-0123456789abcdef0123", "Bearer abc.def.1234567", "--password hunter2x", "API_KEY=abc123xyz",
    "export SECRET_TOKEN=abc123xyz", "Set-Cookie: sid=abc123xyz; Path=/", "a%3Ftoken%3Dabc123%26", r"\u0026token=abc123", "an author of sessions", "",
    "plain words", '  link "More" @e12', '    "The weather is fine today, they said."', "[level=1]", "tab\there",
)  # fmt: skip
FILLER = "\n".join(
    f'  link "Item number {letter} of the list" @e{at}' for at, letter in enumerate(string.ascii_letters)
)


@pytest.fixture(autouse=True)
def _nothing_remembered():
    quiet_lines._quiet.clear()


def found_in(text):
    return sorted(set(find_secrets(text)))


def found_in_whole(text, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(quiet_lines, "_SHORTEST_SEARCHED", len(text) + 1)
        return found_in(text)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=12), min_size=2, max_size=4))
def test_what_is_found_does_not_depend_on_what_was_searched_before(texts):
    monkeypatch = pytest.MonkeyPatch()
    for lines in texts:
        text = "\n".join((FILLER, *lines, FILLER))
        assert found_in(text) == found_in_whole(text, monkeypatch)


def test_every_rule_finds_its_secret_among_lines_that_are_remembered(monkeypatch):
    text = "\n".join((FILLER, *PIECES, FILLER))
    first = found_in(text)
    assert len(first) >= len(RULES)
    assert found_in(text) == first
    for piece in PIECES:
        alone = f"{FILLER}\n{FILLER}\n{piece}"
        assert found_in(alone) == found_in_whole(alone, monkeypatch)


def test_lines_without_a_beginning_are_remembered_and_others_are_not():
    text = f"{FILLER}\npassword: hunter2xY1\n{FILLER}"
    found_in(text)
    part = quiet_lines.find_loud_part(text)
    assert part.text == "password: hunter2xY1"
    assert part.in_text([0]) == [text.index("password")]

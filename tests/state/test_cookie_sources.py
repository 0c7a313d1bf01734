"""Cookies as other tools write them."""

import json

import pytest

from boathook.engine.state.cookie_sources import parse_cookies
from boathook.errors import BadRequest

CURL = r"""curl 'https://shop.example.org/cart?x=1' \
  -H 'accept: text/html' \
  -H 'cookie: sid=abc=1; theme=dark' \
  --compressed"""
NETSCAPE = """# Netscape HTTP Cookie File

.example.org\tTRUE\t/\tTRUE\t2000000000\tsid\tabc
#HttpOnly_www.example.org\tFALSE\t/app\tFALSE\t0\ttheme\tdark
a broken line
"""
FORMS = {
    "curl": (CURL, "curl command", [{"name": "sid", "value": "abc=1"}, {"name": "theme", "value": "dark"}]),
    "curl -b": ("curl -b 'a=1; b=2' https://x.example/", "curl command", [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]),
    "header": ('Cookie: a=1; b="2"; c=', "Cookie header", [{"name": "a", "value": "1"}, {"name": "b", "value": '"2"'}, {"name": "c", "value": ""}]),
    "bare header": ("a=1; b=2\n", "Cookie header", [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]),
    "set-cookie": ("Set-Cookie: a=1; Path=/; HttpOnly\nset-cookie: b=2", "Cookie header", [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_texts_with_pairs_are_understood(form):
    text, named, wanted = FORMS[form]
    found = parse_cookies(text, domain=None)
    assert found.form == named
    assert [{"name": match["name"], "value": match["value"]} for match in found.cookies] == wanted


def test_a_curl_command_says_the_address_unless_a_domain_is_given():
    assert {cookie["url"] for cookie in parse_cookies(CURL, domain=None).cookies} == {
        "https://shop.example.org/cart?x=1"
    }
    assert [cookie.get("url") for cookie in parse_cookies(CURL, domain="example.org").cookies] == [None, None]
    assert {cookie["domain"] for cookie in parse_cookies(CURL, domain="example.org").cookies} == {
        "example.org"
    }


def test_netscapes_file_is_understood():
    found = parse_cookies(NETSCAPE, domain="ignored.example")
    assert found.cookies[0] == {
        "name": "sid", "value": "abc", "domain": ".example.org", "path": "/", "secure": True, "httpOnly": False,
        "expires": 2000000000.0,
    }  # fmt: skip
    assert found.cookies[1]["httpOnly"] is True
    assert found.skipped == 1


@pytest.mark.parametrize(
    ("entry", "wanted"),
    [
        (
            {"name": "a", "value": "1", "domain": ".x.example", "path": "/", "expires": -1, "sameSite": "Lax"},
            {"name": "a", "value": "1", "domain": ".x.example", "path": "/", "sameSite": "Lax"},
        ),
        (
            {"name": "a", "value": "1", "domain": "x.example", "hostOnly": True, "path": "/", "sameSite": "no_restriction",
             "secure": True, "session": False, "storeId": "0", "id": 1, "expirationDate": 2000000000.5},
            {"name": "a", "value": "1", "path": "/", "secure": True, "sameSite": "None", "url": "https://x.example/",
             "expires": 2000000000.5},
        ),
        ({"name": "a", "value": "1", "sameSite": "unspecified"}, {"name": "a", "value": "1"}),
    ],
    ids=["Playwright", "extension", "bare"],
)  # fmt: skip
def test_json_of_several_kinds_is_understood(entry, wanted):
    for text in (json.dumps([entry]), json.dumps({"cookies": [entry], "origins": []})):
        assert parse_cookies(text, domain=None).cookies == [wanted]


@pytest.mark.parametrize(
    "text", ["", "hello", "[]", "[1, 2]", "{bad json", "curl 'unclosed", "curl https://x.example/", "<html>"]
)
def test_what_holds_no_cookie_is_a_clear_error_that_repeats_nothing(text):
    with pytest.raises(BadRequest) as told:
        parse_cookies(text, domain=None)
    assert "unclosed" not in str(told.value)


async def test_imported_cookies_are_sent_to_the_site(tab, site, tmp_path):
    await tab.clear_cookies()  # all tests of a worker share a browser
    await tab.goto(site.url("echo"))
    file = tmp_path / "cookies.txt"
    file.write_text(
        "127.0.0.1\tFALSE\t/\tFALSE\t2000000000\tfrom\tnetscape\nlocalhost\tFALSE\t/\tFALSE\t0\tother\tsite\n"
    )
    taken = await tab.import_cookies(file)
    assert (taken.count, taken.domains) == (2, ("127.0.0.1", "localhost"))
    await tab.import_cookies("Cookie: a=1; b=2")
    await tab.import_cookies(json.dumps([{"name": "json", "value": "yes"}]), domain="127.0.0.1")
    try:
        await tab.reload()
        sent = await tab.evaluate("JSON.parse(document.querySelector('pre').textContent).cookie")
        assert sorted(sent.split("; ")) == ["a=1", "b=2", "from=netscape", "json=yes"]
    finally:
        await tab.clear_cookies()

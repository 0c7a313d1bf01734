"""Signing in: five kinds of login pages, and pages that are given nothing."""

from types import SimpleNamespace

import pytest

from boathook.engine.login import sign_in
from boathook.engine.vault import logins
from boathook.engine.vault.logins import Login
from boathook.errors import LoginFailed, PolicyBlocked
from tests.state.login_site import PASSWORD, USER
from tests.support.engine import engine_of

PAGES = {
    "/one": ("user name", "password"),
    "/two": ("user name", "password"),
    "/totp": ("user name", "password", "one-time code"),
    "/boxes": ("user name", "password", "one-time code"),
    "/frame": ("user name", "password"),
    "/closed": ("user name", "password"),
}


@pytest.mark.parametrize("path", PAGES)
async def test_a_kept_login_signs_in(tab, kept, logins_site, path):
    done = await tab.auth_login(kept(path))
    assert done.gave == PAGES[path]
    assert done.title == "Inside"
    assert done.fields_gone
    assert ("127.0.0.1", PASSWORD) in [(host, fields.get("password")) for host, fields in logins_site.given]
    assert not any("trap" in fields or "website" in fields for _host, fields in logins_site.given)


@pytest.mark.parametrize("knows", [True, False], ids=["known", "control"])
async def test_the_password_is_not_in_what_the_library_records(tab, kept, logins_site, tmp_path, knows):
    if not knows:
        engine_of(tab).redactor = lambda: SimpleNamespace(value=lambda value: value)
    await tab.har_start(content="all")
    await tab.auth_login(kept("/one"))
    # Also where no name gives it away, as in a message of the page's own.
    await tab.evaluate(f"fetch('/one', {{method: 'POST', body: 'said {PASSWORD}'}}).then(a => a.text())")
    told = (await tab.har_stop(tmp_path / "all.har")).path.read_text()
    assert USER in told, "the sign-in was recorded"
    assert (PASSWORD.split()[0] in told) is not knows


async def test_the_present_page_is_used_when_it_is_of_the_logins_origin(tab, kept, logins_site):
    """The control of what follows: what is refused there is done here."""
    await tab.goto(f"{logins_site.origin}/one")
    assert (await tab.auth_login(kept("/two"), navigate=False)).title == "Inside"


async def test_a_frame_of_the_logins_origin_is_given_it_inside_a_foreign_page(tab, kept, logins_site):
    await tab.goto(f"{logins_site.look_alike}/frame")
    done = await tab.auth_login(kept("/one"), navigate=False)
    assert done.title == "Inside"


async def test_a_look_alike_origin_is_given_nothing(tab, kept, logins_site):
    name = kept("/one")
    logins_site.given.clear()
    await tab.goto(f"{logins_site.look_alike}/one")
    with pytest.raises(
        PolicyBlocked, match=r"http://localhost:\d+ asks for the password, but the login is for"
    ):
        await tab.auth_login(name, navigate=False)
    assert await tab.evaluate("[...document.querySelectorAll('input')].map(one => one.value).join('')") == ""
    assert logins_site.given == []


@pytest.mark.parametrize(
    ("trick", "why"),
    [
        ("swap", "the field was removed from the page"),
        ("steal", "the page moved the focus to another element"),
        ("unmask", "the type of the field changed"),
    ],
)
async def test_a_page_that_plays_tricks_when_the_field_is_focused_is_not_given_the_password(
    tab, kept, logins_site, trick, why
):
    with pytest.raises(PolicyBlocked, match=why):
        await tab.auth_login(kept(f"/ill?trick={trick}"))
    seen = await tab.evaluate(
        "[...captured, ...[...document.querySelectorAll('input, textarea')].map(one => one.value)]"
    )
    assert USER in seen, "it was watched"
    assert PASSWORD not in seen


async def test_the_same_page_without_tricks_is_given_it(tab, kept, logins_site):
    assert (await tab.auth_login(kept("/ill"))).title == "Inside"


async def test_a_wrong_password_is_told_as_the_page_tells_it(tab, kept, logins_site, monkeypatch):
    monkeypatch.setattr(sign_in, "ANSWER_SECONDS", 2.0)
    with pytest.raises(
        LoginFailed, match='still asks for the password after it was entered; the page shows "Wrong password"'
    ) as told:
        await tab.auth_login(kept("/one", password="not-this-one"))
    assert "not-this-one" not in str(told.value)


async def test_a_code_without_a_seed_is_a_clear_error(tab, kept, logins_site):
    with pytest.raises(LoginFailed, match="no TOTP seed"):
        await tab.auth_login(kept("/totp", totp=""))


@pytest.mark.parametrize("where", ["kept", "this time"])
async def test_fields_may_be_named_by_the_login(tab, kept, site, logins_site, where):
    named = {"username_selector": "#a", "password_selector": "#b", "submit_selector": "text=Go"}
    page = site.page(
        '<input id=a aria-label=x><input id=b aria-label=y type=password><span onclick="document.title = a.value + b.value.length; '
        "document.body.textContent = 'in'\" role=button>Go</span>"
    )
    facts = named if where == "kept" else dict.fromkeys(named, "#wrong")
    logins.keep(Login(name="odd", url=page, username="ann", password="four", **facts))
    done = await tab.auth_login("odd", **({} if where == "kept" else named))
    assert done.title == "ann4"

"""Hand-offs: a tab in a person's hands, who gives it back or whose page shows that they are done."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import boathook
from boathook.cdp.cdp_session import CdpSession
from boathook.engine.capture.images.image_size import image_size
from boathook.errors import BadRequest, Busy, TabGone, TimedOut
from tests.support.program import Program
from tests.support.waiting import until

LOGIN = """<form onsubmit="event.preventDefault(); document.querySelector('p').textContent = 'Welcome'; location.hash = 'in'">
<label>Code <input></label><button>Sign in</button></form><p role=status></p>"""


@pytest.fixture
async def login(tab, site):
    await tab.goto(site.page(LOGIN, title="Login"))
    return tab


async def handed_over(tab, **options):
    """A hand-off that goes on."""
    waiting = asyncio.ensure_future(tab.handoff("please sign in", **options))
    while not await tab.handoff_status():
        assert not waiting.done(), waiting.result()
        await tab.title()  # looking is allowed, and lets the other one go on
    return waiting


async def test_it_ends_when_somebody_says_so_and_tells_what_was_said(login):
    waiting = await handed_over(login)
    [told] = await login.handoff_status()
    assert (told.tab, told.reason, told.url) == (login.id, "please sign in", login.url)
    await login.resume(note="with the second code")
    back = await waiting
    assert (back.ended, back.note) == ("resumed", "with the second code")
    assert (back.came, back.went) == ((), ())
    assert await login.handoff_status() == []


@pytest.mark.parametrize(
    ("condition", "ended"),
    [
        ({"text": "Welcome"}, "the page shows 'Welcome'"),
        ({"url": "#in"}, "the URL matches '#in'"),
        ({"target": "text=Welcome"}, "an element matches 'text=Welcome'"),
        ({"text": "Never", "target": "text=Welcome"}, "an element matches 'text=Welcome'"),
    ],
)
async def test_it_ends_when_the_page_shows_that_the_person_is_done(login, condition, ended):
    waiting = await handed_over(login, **condition)
    assert not waiting.done(), "nothing has been done yet"
    await login.click("text=Sign in")  # the person, by other means than ours
    back = await waiting
    assert back.ended == ended
    assert back.url.endswith("#in")
    assert not back.url_before.endswith("#in")


async def test_what_came_and_went_on_the_same_page_is_told(login):
    waiting = await handed_over(login)
    await login.evaluate(
        "() => { document.querySelector('button').textContent = 'Sign out'; document.querySelector('p').textContent = 'Hi' }"
    )
    await login.resume()
    back = await waiting
    assert any("Sign out" in line for line in back.came)
    assert any("Sign in" in line for line in back.went)


async def test_an_agents_own_next_look_is_compared_with_its_own_last_one(login):
    before = await login.snapshot()
    waiting = await handed_over(login)
    await login.evaluate("document.querySelector('button').textContent = 'Sign out'")
    await login.resume()
    await waiting
    after = await login.snapshot(since=before.revision)
    assert "Sign out" in str(after)


async def test_a_person_who_does_not_come_is_an_error_with_where_it_stands(login):
    with pytest.raises(TimedOut, match=r"waiting for a person; last seen: http"):
        await login.handoff("please sign in", text="Never", timeout=1)
    assert await login.handoff_status() == []
    assert await login.title() == "Login", "the tab is fine"


async def test_only_one_at_a_time_and_none_without_a_reason(login):
    with pytest.raises(BadRequest, match="no tab is handed off"):
        await login.resume()
    with pytest.raises(BadRequest, match="the reason must have 1 to 500 characters"):
        await login.handoff("  ")
    waiting = await handed_over(login)
    with pytest.raises(Busy, match="please sign in"):
        await login.handoff("again")
    await login.resume()
    await waiting


async def test_a_tab_that_the_person_closes_ends_it(browser, site):
    tab = await browser.open(site.page(LOGIN))
    waiting = await handed_over(tab, text="Welcome")
    await tab.close()
    with pytest.raises(TabGone):
        await waiting


async def test_from_another_tab_the_only_one_is_given_back(login, browser):
    other = await browser.open("about:blank")
    waiting = await handed_over(login)
    await other.resume()
    assert (await waiting).ended == "resumed"
    await other.close()


async def test_without_a_window_there_is_a_picture(login, tmp_path):
    waiting = await handed_over(login, path=tmp_path / "now.png")
    await until((tmp_path / "now.png").exists, named="the picture")
    await login.resume()
    await waiting
    assert image_size((tmp_path / "now.png").read_bytes())[0] > 100


@pytest.fixture
def virtual_display(monkeypatch):
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    monkeypatch.setenv("DISPLAY", ":" + server.stdout.readline().decode().strip())
    yield
    server.terminate()
    server.wait()
    server.stdout.close()


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
async def test_a_window_is_put_in_front_and_no_picture_is_made(virtual_display, site, tmp_path, monkeypatch):
    sent, send = [], CdpSession.send

    def noted(session, method, **params):
        sent.append(method)
        return send(session, method, **params)

    # Pages of ours always believe that they are in front, so what was asked for is all there is to see.
    monkeypatch.setattr(CdpSession, "send", noted)
    async with await boathook.launch(headless=False) as browser:
        tab = await browser.open(site.page(LOGIN))
        assert "Page.bringToFront" not in sent
        waiting = await handed_over(tab, path=tmp_path / "now.png")
        await until(lambda: "Page.bringToFront" in sent, named="the window is put in front")
        await tab.resume()
        assert (await waiting).ended == "resumed"
    assert not (tmp_path / "now.png").exists()


@pytest.mark.slow
def test_while_it_lasts_nobody_acts_on_the_tab_and_others_may_look(tmp_path, site):
    program = Program(tmp_path)
    try:
        program("open", site.page(LOGIN, title="Login"))
        line = [sys.executable, "-m", "boathook", "handoff", "please sign in", "--text", "Never"]
        asking = subprocess.Popen(
            line,
            cwd=program.work,
            env=program.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        while not (told := program.json("handoff", "--status")["data"]) or not told[0]["picture"]:
            assert asking.poll() is None, "it goes on"
        assert told[0]["reason"] == "please sign in"
        assert Path(told[0]["picture"]).exists()
        refused = program("click", "text=Sign in")
        assert refused.returncode == 9
        assert f"process {asking.pid} has been running 'handoff'" in refused.stderr
        assert program("get", "title").stdout == "Login\n", "looking is allowed"
        assert "please sign in" in program("handoff", "status").stdout
        assert program("resume", "--note", "done").returncode == 0
        out, _ = asking.communicate(timeout=60)
        assert asking.returncode == 0
        assert "resumed" in out
        assert 'note from the person: "done"' in out
        assert "nothing else changed" in out
        assert program("click", "text=Sign in").returncode == 0, "now it may be acted on"
        assert program("resume").returncode == 2
    finally:
        program.stop()

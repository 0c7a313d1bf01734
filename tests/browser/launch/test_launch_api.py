"""Launching through the public API: bad input is a typed error, and nothing is left running."""

import os
import shutil
import stat

import pytest

import boathook
from boathook.cdp.replies import ignore_reply
from boathook.errors import BadSetting, BadSwitch, BrowserNotFound, LaunchFailed, NotABrowser, ProfileInUse
from tests.support.engine import engine_of
from tests.support.waiting import until
from tools.stress_kill import browsers_in, profiles_in


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    yield folder
    assert browsers_in(folder) == []
    assert profiles_in(folder) == []


def program(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


async def test_a_path_that_is_no_browser_says_so(runtime, tmp_path):
    with pytest.raises((BrowserNotFound, NotABrowser)):
        await boathook.launch(executable=tmp_path / "nonesuch")
    with pytest.raises(NotABrowser):
        await boathook.launch(executable=tmp_path)
    with pytest.raises((NotABrowser, LaunchFailed)):
        await boathook.launch(executable=program(tmp_path / "fake", "#!/bin/sh\necho hello\n"))


async def test_a_browser_that_says_nothing_is_ended_by_the_deadline(runtime, tmp_path):
    mute = program(
        tmp_path / "chromium", '#!/bin/sh\n[ "$1" = --version ] && echo Chromium 1.2.3 || exec sleep 60\n'
    )
    with pytest.raises(boathook.errors.TimedOut, match="starting the browser"):
        await boathook.launch(executable=mute, timeout=1)


@pytest.mark.parametrize(
    "switch",
    ["--renderer-cmd-prefix=x", "--no-sandbox", "--remote-debugging-port=1", "--load-extension=/x", "lang"],
)
async def test_a_dangerous_switch_is_refused(runtime, switch):
    with pytest.raises(BadSwitch):
        await boathook.launch(switches=[switch])


async def test_the_memory_of_a_page_that_crashed_is_removed_with_the_profile(runtime, tmp_path, monkeypatch):
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    async with await boathook.launch() as browser:
        tab = await browser.open()
        ignore_reply(engine_of(tab).session.post("Page.crash"))
        await until(lambda: list(runtime.rglob("*.dmp")), named="the control: the browser has saved it")
    assert list(tmp_path.rglob("*.dmp")) == []


async def test_an_allowed_switch_reaches_the_browser(runtime):
    async with await boathook.launch(switches=["--accept-lang=fr"]) as browser:
        tab = await browser.open()
        assert (await tab.evaluate("navigator.language")).startswith("fr")


async def test_a_profile_in_use_names_its_holder_and_stays(runtime, tmp_path):
    profile = tmp_path / "mine"
    async with await boathook.launch(profile=profile) as first:
        await first.open()
        with pytest.raises(ProfileInUse, match=r"\d+"):
            await boathook.launch(profile=profile)
        assert await (await first.open()).evaluate("1") == 1
    async with await boathook.launch(profile=profile) as again:
        await again.open()
    assert profile.exists()


async def test_a_persistent_profile_keeps_its_storage(runtime, tmp_path, site):
    page = site.page("x")
    async with await boathook.launch(profile=tmp_path / "mine") as browser:
        tab = await browser.open(page)
        await tab.evaluate("localStorage.kept = 'yes'")
        # A renderer passes what it stored to the browser later; a browser that closes at once may not receive it.
        await tab.goto("about:blank")
    async with await boathook.launch(profile=tmp_path / "mine") as browser:
        assert await (await browser.open(page)).evaluate("localStorage.kept") == "yes"


async def test_a_temporary_profile_forgets(runtime, site):
    page = site.page("x")
    async with await boathook.launch() as browser:
        await (await browser.open(page)).evaluate("localStorage.kept = 'yes'")
    async with await boathook.launch() as browser:
        assert await (await browser.open(page)).evaluate("localStorage.kept") is None


async def test_the_everyday_profile_of_the_user_is_refused(runtime, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".config" / "google-chrome" / "Default").mkdir(parents=True)
    with pytest.raises(BadSetting, match="default profile"):
        await boathook.launch(profile=tmp_path / ".config" / "google-chrome")


@pytest.mark.skipif(bool(os.environ.get("DISPLAY")), reason="needs a machine without a display")
async def test_headed_without_a_display_says_what_is_missing(runtime):
    with pytest.raises(boathook.errors.BrowserError, match=r"(?i)display"):
        await boathook.launch(headless=False)


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
async def test_headed_works_on_a_display(runtime, virtual_display, site):
    async with await boathook.launch(headless=False) as browser:
        tab = await browser.open(site.page("<button>Seen</button>"))
        assert 'button "Seen"' in str(await tab.snapshot())
        assert (await tab.screenshot()).data


@pytest.fixture
def virtual_display(monkeypatch):
    import subprocess

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

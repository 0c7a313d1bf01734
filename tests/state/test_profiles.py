"""The user's own profiles: listed, copied, and left as they are."""

import json

import pytest

from boathook.engine.elements.evaluate import evaluate
from boathook.engine.launch import open as opening
from boathook.engine.launch.options import LaunchOptions
from boathook.engine.launch.profiles import user_profiles
from boathook.engine.launch.profiles.user_profiles import copy_profile, find_profile
from boathook.errors import BadSetting


@pytest.fixture
def chrome(tmp_path, monkeypatch):
    """A made-up Chrome with two profiles."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = tmp_path / "config/google-chrome"
    for folder, size in (("Default", 10), ("Profile 1", 20)):
        (root / folder / "Cache").mkdir(parents=True)
        (root / folder / "Network").mkdir()
        (root / folder / "Preferences").write_text("{}")
        (root / folder / "Network/Cookies").write_bytes(b"c" * size)
        (root / folder / "Cache/data_0").write_bytes(b"x" * 1000)
    (root / "Local State").write_text(
        json.dumps(
            {"profile": {"info_cache": {"Profile 1": {"name": "Work", "user_name": "ada@example.org"}}}}
        )
    )
    (root / "SingletonLock").symlink_to("host-1")
    (root / "Profile 1/LOCK").write_text("")
    return root


def test_profiles_are_listed_by_the_names_that_people_gave_them(chrome):
    assert [(profile.name, profile.browser, profile.path) for profile in user_profiles.list_profiles()] == [
        ("Default", "chrome", str(chrome / "Default")),
        ("Work", "chrome", str(chrome / "Profile 1")),
    ]
    assert find_profile("work") == find_profile("Profile 1") == user_profiles.list_profiles()[1]
    assert find_profile("nobody") is None


def test_a_copy_has_what_matters_and_the_real_one_stays_as_it_is(chrome, tmp_path):
    before = {path: path.lstat().st_mtime_ns for path in chrome.rglob("*")}
    target = tmp_path / "copy"
    target.mkdir()
    said = copy_profile(chrome / "Profile 1", target)
    assert "the original is not changed" in said
    copied = sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())
    assert copied == ["Default/Network/Cookies", "Default/Preferences", "Local State"]
    assert (target / "Default/Network/Cookies").read_bytes() == b"c" * 20
    assert {path: path.lstat().st_mtime_ns for path in chrome.rglob("*")} == before


def test_a_profile_that_is_too_large_is_refused(chrome, tmp_path, monkeypatch):
    monkeypatch.setattr(user_profiles, "LARGEST_COPY", 15)
    with pytest.raises(BadSetting, match="without caches"):
        copy_profile(chrome / "Profile 1", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


async def test_a_browser_works_in_a_copy_with_the_cookies_of_the_real_one(tmp_path, site):
    """The profile is made by a browser of ours, so that it is a real one."""
    page = site.page("<p>x</p>")
    real = tmp_path / "real"
    assert await script_in(LaunchOptions(profile=real), page, "document.cookie = 'sid=real; max-age=1000'")
    cookies = next(path for path in real.rglob("Cookies") if path.is_file())
    before = (cookies.read_bytes(), sorted(real.iterdir()))

    copy = LaunchOptions(profile_copy=real / "Default")
    script = "(found => { document.cookie = 'sid=changed; max-age=1000'; return found })(document.cookie)"
    assert await script_in(copy, page, script) == "sid=real"
    assert (cookies.read_bytes(), sorted(real.iterdir())) == before


async def script_in(options, page, script):
    browser = await opening.launch(options)
    try:
        tab = await browser.open_tab(page)
        async with tab.call("running a script", seconds=30) as deadline:
            return await evaluate(tab, script, deadline=deadline)
    finally:
        await browser.close()

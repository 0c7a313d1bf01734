"""The Python APIs: sync equals async, also inside a running loop, and the public names are frozen."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import boathook
from boathook.surfaces.python import async_api, sync_api

ROOT = Path(__file__).parent.parent.parent


def test_the_public_names_are_these():
    assert dir(boathook) == [
        "Acted",
        "BoathookError",
        "Body",
        "Box",
        "Browser",
        "Changes",
        "Collected",
        "CollectedItem",
        "ConsoleMessage",
        "Dialog",
        "Download",
        "FrameInfo",
        "Geolocation",
        "PageInfo",
        "Pdf",
        "Place",
        "Proxy",
        "Reading",
        "Ref",
        "Remote",
        "Reply",
        "Request",
        "SavedState",
        "Screenshot",
        "Scrolled",
        "Secret",
        "Settings",
        "Sightings",
        "SnapshotView",
        "Tab",
        "Uploaded",
        "Viewport",
        "WaitResult",
        "__version__",
        "attach",
        "connect",
        "errors",
        "find_browser",
        "install_browser",
        "launch",
        "sync",
    ]
    for name in dir(boathook):
        assert getattr(boathook, name)


def test_sync_has_every_method_and_parameter_of_async():
    for name in ("Browser", "Tab"):
        ours, theirs = getattr(sync_api, name), getattr(async_api, name)
        public = [member for member in dir(theirs) if not member.startswith("_")]
        assert public
        for member in public:
            mine, other = getattr(ours, member), getattr(theirs, member)
            if not isinstance(other, property):
                assert list(inspect.signature(mine).parameters) == list(inspect.signature(other).parameters)


def test_the_sync_api_works_without_a_loop(site):
    with boathook.sync.launch() as browser:
        tab = browser.open(site.page("<button>Go</button>"))
        assert 'button "Go"' in str(tab.snapshot())
        assert tab.evaluate("1 + 1") == 2
        assert [known.id for known in browser.tabs()] == ["t1"]
        tab.close()


async def test_the_sync_api_works_inside_a_running_loop(site):
    with boathook.sync.launch() as browser:
        assert browser.open(site.page("x", title="Inside")).title() == "Inside"


def test_importing_the_package_is_cheap():
    code = "import sys, boathook; print([name for name in ('asyncio', 'msgspec', 'websockets') if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_example_in_the_readme_runs(site, tmp_path):
    readme = (ROOT / "README.md").read_text()
    [example] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len([line for line in example.splitlines() if line.strip()]) <= 12
    local = example.replace("https://example.org", site.page("<h1>Example</h1><a href=/x>Learn more</a>"))
    assert local != example
    out = subprocess.run(
        [sys.executable, "-c", local], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
    )
    assert out.returncode == 0, out.stderr
    assert 'link "Learn more"' in out.stdout
    assert list(tmp_path.glob("*.png"))


def test_a_list_of_files_is_uploaded_and_a_screenshot_can_be_saved_later(site, tmp_path):
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(name)
    with boathook.sync.launch() as browser:
        tab = browser.open(site.page("<input type=file multiple aria-label=Files>"))
        files = [tmp_path / "one.txt", str(tmp_path / "two.txt")]
        assert tab.upload("label=Files", files).names == ("one.txt", "two.txt")
        assert tab.upload("label=Files", *files).names == ("one.txt", "two.txt"), "as before"
        saved = tab.screenshot().save(tmp_path / "new/shot.png")
        assert saved.read_bytes().startswith(b"\x89PNG")


async def test_the_url_is_read_alike_in_python_and_in_scripts(tab, site):
    page = site.page("<p>x</p>")
    await tab.goto(page)
    assert tab.url == await tab.url == await tab.url() == page
    code = "return [await tab.url, await tab.url()]"
    assert (await tab.run(code)).value == [page, page]

"""Ids of tabs and elements belong to one session: each session starts at t1 and @e1 and sees none of another's."""

import asyncio
import re
import sys
from typing import Any

import pytest

from tests.support.chromium import foreign_chromium, port_of
from tests.support.waiting import until_asked

pytestmark = pytest.mark.slow

MANY = "".join(f"<button>Button {number}</button>" for number in range(40))


def test_every_session_numbers_its_tabs_and_elements_from_one(program, site):
    page = site.page(f"<main>{MANY}</main>")
    for name in ("a", "b", "c"):
        program("--session", name, "open", page)
        program("--session", name, "tab", "new", page)
        snapshot = program("--session", name, "snapshot").stdout
        assert "tab=t2 " in snapshot
        assert min(int(ref) for ref in re.findall(r"@e(\d+)", snapshot)) == 1
        assert re.findall(r"^t\d+", program("--session", name, "tab", "list").stdout, re.MULTILINE) == [
            "t1",
            "t2",
        ]
    assert len(program.json("session", "list")["data"]) == 3


@pytest.mark.shared_daemon
def test_an_error_says_nothing_about_elements_and_tabs_of_another_session(program, site):
    page = site.page(f"<main>{MANY}</main>")
    program("--session", "a", "open", page)
    listed = program("--session", "a", "snapshot", "--mode", "full").stdout
    theirs = max(int(ref) for ref in re.findall(r"@e(\d+)", listed))
    assert program("--session", "a", "click", f"@e{theirs - 1}").returncode == 0, (
        "the control: it exists there"
    )
    program("--session", "b", "open", site.page("<button>Only one</button>"))
    program("--session", "b", "snapshot")
    known = program("--session", "b", "click", f"@e{theirs - 1}")
    never = program("--session", "b", "click", "@e99999")
    assert known.stderr.replace(f"@e{theirs - 1}", "@X") == never.stderr.replace("@e99999", "@X")
    missing = program("--session", "b", "tab", "t2")
    assert page not in missing.stderr
    assert "open: t1 " in missing.stderr


@pytest.mark.shared_daemon
def test_a_click_that_opens_nothing_does_not_report_tabs_that_another_session_opens(program, site):
    busy = site.page("<button onclick=\"this.textContent='done'\">Go</button>")
    program("--session", "a", "open", busy)
    program("--session", "b", "open", busy)
    program("--session", "b", "tab", "new", busy)
    assert "opened" not in program("--session", "a", "click", "text=Go").stdout


@pytest.mark.shared_daemon
def test_an_isolated_tab_counts_among_the_tabs_of_its_session(program, site):
    page = site.page("<p>x</p>")
    program("--session", "a", "open", page)
    program("--session", "a", "tab", "new", page, "--isolated", "--label", "apart")
    assert re.findall(r"^t\d+", program("--session", "a", "tab", "list").stdout, re.MULTILINE)[:2] == [
        "t1",
        "t2",
    ]
    assert program("--session", "a", "tab", "apart").returncode == 0
    program("--session", "b", "open", page)
    assert re.findall(r"^t\d+", program("--session", "b", "tab", "list").stdout, re.MULTILINE) == ["t1"]


@pytest.mark.shared_daemon
def test_a_ref_of_a_session_that_was_replaced_is_stale_and_never_another_element(program, site):
    program("open", site.page("<button>Old</button>"))
    ref = re.search(r'button "Old" (@e\d+)', program("snapshot").stdout)[1]
    program("--fresh", "open", site.page("<button>New</button><button>Newer</button>"))
    program("snapshot")
    clicked = program("click", ref)
    assert clicked.returncode != 0
    assert "[stale_ref]" in clicked.stderr


@pytest.mark.shared_daemon
async def test_who_works_on_a_tab_is_shown_in_its_own_session_only(program, site):
    page = site.page("<p>x</p>")
    program("--session", "a", "open", page)
    program("--session", "b", "open", page)
    line = ("-m", "boathook", "--session", "a", "--timeout", "60", "eval", "new Promise(() => {})")
    quiet: dict[str, Any] = {"stdout": asyncio.subprocess.DEVNULL, "stderr": asyncio.subprocess.DEVNULL}
    working = await asyncio.create_subprocess_exec(
        sys.executable, *line, cwd=program.work, env=program.environment, **quiet
    )

    async def listed():
        found = {entry["name"]: entry["busy"] for entry in program.json("session", "list")["data"]}
        return found if any(found.values()) else None

    try:
        busy = await until_asked(listed, named="the wait is shown as work")
        assert busy["a"], "the control: it is at work there"
        assert not busy["b"]
    finally:
        working.terminate()
        await working.wait()


@pytest.mark.shared_daemon
async def test_sessions_that_attach_to_one_browser_have_ids_and_tabs_of_their_own(program, site):
    with foreign_chromium() as (_process, profile):
        port = str(await port_of(profile))
        first, second = site.page(f"<main>{MANY}</main>"), site.page("<button>Only</button>")
        program("--session", "a", "--cdp", port, "open", first)
        program("--session", "a", "snapshot")
        program("--session", "b", "--cdp", port, "open", second)
        shown = program("--session", "b", "snapshot").stdout
        assert 'button "Only" @e1' in shown
        assert "tab=t1 " in shown
        assert program("--session", "a", "get", "url").stdout.strip() == first
        stale = program("--session", "b", "click", "@e30")
        assert "Button" not in stale.stderr
        for name in ("a", "b"):
            program("--session", name, "close")

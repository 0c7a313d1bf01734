"""A daemon that is started by `open` starts the browser while it loads; only a launch with the same options uses it."""

from pathlib import Path

import pytest

from tests.support.waiting import until

pytestmark = pytest.mark.slow


def daemon_of(program):
    return program.json_of("daemon", "status", "--json")["pid"]


def words_of(pid):
    return (Path("/proc") / str(pid) / "cmdline").read_bytes().decode().split("\0")


def browsers_of(pid):
    """The browser processes that a daemon has started."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            words = words_of(entry.name)
        except (OSError, ValueError, IndexError):
            continue
        if parent == pid and "--remote-debugging-pipe" in words:
            found.append(int(entry.name))
    return found


def test_the_first_open_uses_the_browser_that_was_started_early(program, site):
    opened = program("open", site.page("<h1>Early</h1>", title="Early"))
    assert '"Early"' in opened.stdout
    daemon = daemon_of(program)
    assert "--early-browser" in words_of(daemon)
    assert len(browsers_of(daemon)) == 1
    assert program("get", "title").stdout == "Early\n"


@pytest.mark.parametrize(
    ("argv", "variables"),
    [(("--viewport", "900x700"), {}), ((), {"BOATHOOK_VIEWPORT": "900x700"})],
    ids=["flag", "variable"],
)
def test_an_open_with_other_options_starts_none_early(program, site, argv, variables):
    program("open", site.page("<h1>Late</h1>"), *argv, **variables)
    daemon = daemon_of(program)
    assert "--early-browser" not in words_of(daemon)
    assert len(browsers_of(daemon)) == 1
    assert program("eval", "innerWidth").stdout == "900\n"


def test_a_policy_of_the_user_is_read_before_any_browser_starts(program, site):
    folder = program.home / ".config/boathook"
    folder.mkdir(parents=True)
    (folder / "policy.toml").write_text('allowed_domains = ["example.org"]\n')
    refused = program("open", site.page("<h1>No</h1>"))
    assert refused.returncode == 3
    assert "--early-browser" not in words_of(daemon_of(program))


async def test_a_browser_that_was_not_the_right_one_is_not_used_and_ends_with_the_daemon(program, site):
    """The project's file is seen by the daemon only."""
    (program.work / "boathook.toml").write_text('viewport = "900x700"\n')
    program("open", site.page("<h1>Other</h1>"))
    daemon = daemon_of(program)
    browsers = browsers_of(daemon)
    assert "--early-browser" in words_of(daemon)
    assert len(browsers) == 2
    assert program("eval", "innerWidth").stdout == "900\n"
    program("daemon", "stop")
    await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in browsers), named="both have ended")

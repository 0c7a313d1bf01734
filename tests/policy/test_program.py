"""The policy as users of the program meet it: flags, files, answers that say what was refused, secrets by name."""

import asyncio

import pytest

from tests.support.chromium import foreign_chromium, port_of
from tests.support.program import Program

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.fixture
def program(tmp_path):
    made = Program(tmp_path)
    (made.work / ".git").mkdir()
    yield made
    made.stop()


def users_file(program, text):
    folder = program.home / ".config/boathook"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "boathook.toml").write_text(text)
    return folder


def test_limits_hold_for_the_whole_session_and_answers_say_what_was_refused(program, site):
    image = f"<img src='{site.other_origin}/far/a'><img src='{site.other_origin}/far/b'>"
    page = site.page(f"<h1>Here</h1>{image}")
    before = len(site.requests)
    opened = program("--allowed-domains", "127.0.0.1", "open", page)
    assert opened.returncode == 0, opened.stderr
    assert "2 requests were blocked by the limits on hosts: localhost" in opened.stdout + opened.stderr
    blocked = program.json("open", site.other_origin)
    assert blocked["category"] == "policy-blocked"
    assert blocked["error"]["code"] == "policy_blocked"
    assert "localhost is not allowed: it is not one of the allowed hosts" in blocked["error"]["message"]
    other = program("--allowed-domains", "localhost", "get", "url")
    assert other.returncode == 2
    assert "is already running with other limits on hosts" in other.stderr
    assert "--fresh --allowed-domains localhost" in other.stderr
    assert program("--allowed-domains", "127.0.0.1", "get", "title").returncode == 0
    assert [path for path in site.requests[before:] if path.startswith("/far/")] == []
    free = program("--fresh", "open", page)
    assert free.returncode == 0
    assert "refused" not in free.stdout + free.stderr
    assert {"/far/a", "/far/b"} <= set(site.requests[before:]), "without limits the images are asked for"


def test_a_project_does_not_answer_dialogs_for_its_user(program, site):
    (program.work / "boathook.toml").write_text("dialogs = 'accept'\n")
    refused = program("open", site.page("x"))
    assert refused.returncode == 2
    assert "dialogs" in refused.stderr


def test_a_project_may_narrow_and_not_loosen(program, site):
    page = site.page("x")
    (program.work / "boathook.toml").write_text(
        "evaluate_enabled = false\ndenied_domains = ['far.example']\n"
    )
    assert program("open", page).returncode == 0
    denied = program("eval", "1")
    assert denied.returncode == 3
    assert "scripts in pages are disabled" in denied.stderr
    last = program.json("history")["data"][-1]
    assert (last["command"], last["outcome"]) == ("evaluate", "policy_blocked"), (
        "what is refused is told of too"
    )
    assert "one of the denied hosts" in program("open", "https://far.example/").stderr
    (program.work / "boathook.toml").write_text("evaluate_enabled = true\n")
    assert "may only be set to false" in program("eval", "1").stderr
    (program.work / "boathook.toml").unlink()
    assert program("eval", "1").stdout == "1\n"


def test_what_is_to_be_confirmed_is_not_done(program, site):
    page = site.page("<button onclick='document.title=\"Pressed\"'>Press</button>")
    assert program("open", page).returncode == 0
    asked = program.json("--confirm-actions", "click", "click", "text=Press")
    assert asked["category"] == "confirmation-required"
    assert asked["error"]["code"] == "confirmation_required"
    assert program("get", "title").stdout == "Test page\n"
    assert (
        "unknown command or category" in program("--confirm-actions", "presses", "click", "text=Press").stderr
    )
    assert program("click", "text=Press").returncode == 0
    assert program("get", "title").stdout == "Pressed\n"


FIELDS = "<label>Token <input id=here></label>"


def test_a_secret_is_typed_only_into_pages_of_its_origins(program, site):
    folder = users_file(program, f"[secrets]\ntoken = {{ origins = ['{site.origin}'] }}\n")
    (folder / "secrets").mkdir(mode=0o700)
    (folder / "secrets/token").write_text("tok-4711-very-secret\n")
    path = site.page(FIELDS).removeprefix(site.origin)
    framed = site.page(f"{FIELDS}<iframe src='{site.other_origin}{path}'></iframe>")
    assert program("open", f"{site.other_origin}{path}").returncode == 0
    refused = program("fill", "#here", "secret:token")
    assert refused.returncode == 3
    assert f"secret:token is not allowed on {site.other_origin}; nothing was typed" in refused.stderr
    assert program("get", "value", "#here").stdout.strip() == ""
    assert program("open", f"{site.origin}{path}").returncode == 0
    filled = program("fill", "#here", "secret:token")
    assert filled.returncode == 0, filled.stderr
    assert program("eval", "document.querySelector('#here').value.length").stdout == "20\n"
    for told in (filled, program("snapshot"), program("get", "value", "#here"), program("history")):
        assert "tok-4711" not in told.stdout + told.stderr
    assert "it can only be typed into pages" in program("set", "credentials", "ada", "secret:token").stderr
    assert program("open", framed).returncode == 0
    assert "is not allowed on" in program("keyboard", "type", "secret:token").stderr, (
        "the focus may be in the frame"
    )
    assert program("fill", "#here", "secret:token", "--nth", "0").returncode == 0
    in_frame = program("fill", "#here", "secret:token", "--nth", "1")
    assert in_frame.returncode == 3
    assert "nothing was typed" in in_frame.stderr


def test_a_variable_that_the_users_file_binds_keeps_its_origins(program, site):
    users_file(program, "[secrets.shop]\nenv = 'SHOP_TOKEN'\norigins = ['https://shop.example']\n")
    assert program("open", site.page(FIELDS)).returncode == 0
    refused = program("fill", "#here", "env:SHOP_TOKEN", SHOP_TOKEN="abc-def-ghi")
    assert "env:SHOP_TOKEN is not allowed on" in refused.stderr
    assert "abc-def" not in refused.stderr
    assert program("fill", "#here", "env:OTHER", OTHER="abc-def-ghi").returncode == 0


@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_a_secret_in_a_folder_that_others_can_enter_is_not_used(program, site, mode):
    folder = users_file(program, "")
    (folder / "secrets").mkdir()
    (folder / "secrets").chmod(mode)
    (folder / "secrets/token").write_text("tok-4711")
    assert program("open", site.page(FIELDS)).returncode == 0
    done = program("fill", "#here", "secret:token")
    assert (done.returncode == 0) is (mode == 0o700)
    assert ("open to others" in done.stderr) is (mode == 0o755)
    assert "not found" in program("fill", "#here", "secret:nothing").stderr


def test_in_somebody_elses_browser_a_tab_that_strays_is_told_of(program, site):
    with foreign_chromium() as (_process, profile):
        port = str(asyncio.run(port_of(profile)))
        page = site.page(f"<a href='{site.other_origin}/given/0'>away</a>")
        limits = ("--cdp", port, "--allowed-domains", "127.0.0.1")
        opened = program(*limits, "open", page)
        assert opened.returncode == 0, opened.stderr
        assert program("open", site.other_origin).returncode == 3
        clicked = program("click", "text=away")
        assert "is on a page that is not allowed: localhost is not allowed" in clicked.stdout + clicked.stderr
        assert "is on a page that is not allowed" not in program("open", page).stdout

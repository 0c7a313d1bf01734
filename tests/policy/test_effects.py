"""Policies decide on what a call does, not on what it is called; policy files hold against flags, variables and projects."""

import json
import shutil

import pytest

from boathook.errors import BadSetting
from boathook.service.input import locked_policy as policy_files
from boathook.service.input.locked_policy import locked_policy
from tests.mcp.clients import Home, code_of, text_of
from tests.support.chromium import foreign_chromium, port_of
from tests.support.program import Program

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
FILE = "<a id=f href='data:text/plain,hi' download=note.txt>Note</a>"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("effects"))
    (made.work / ".git").mkdir()
    started = made("session", "list")
    assert started.returncode == 0, started.stderr
    yield made
    made.stop()


@pytest.fixture
def lock(program):
    """Writes the user's policy file."""
    file = program.home / ".config/boathook/policy.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    yield file.write_text
    file.unlink(missing_ok=True)
    program.ask("close", "--all")


def denied_by(program, **rules):
    path = program.work / f"{'-'.join(rules.values())}.json"
    path.write_text(json.dumps({name: [word] for name, word in rules.items()}))
    return "--action-policy", str(path)


def test_what_is_denied_is_denied_by_every_way_to_it(program, site):
    page = site.page(FILE)
    early = program.work / "early.js"
    early.write_text("globalThis.early = 'early'")
    state = program.work / "saved-state.json"
    assert program.ask("--session", "make", "open", page).exit == 0
    saved = program.ask("--session", "make", "state", "save", str(state))
    assert saved.exit == 0, saved.err
    ways = {
        "download": [["wait", "--download", "saved.txt"], ["download", "css=#f", "saved.txt"]],
        "state": [
            ["--state", str(state), "open", page],
            ["--restore", "kept", "open", page],
            ["--profile", "own", "open", page],
            ["network", "route", "**/a", "--body", "{}", "--headers", '{"Set-Cookie": "a=1"}'],
            ["open", page, "--headers", '{"Cookie": "a=1"}'],
        ],
        "interact": [["--dialogs", "accept", "open", page], ["type", "#q", "a\tb"]],
        "emulate": [["--user-agent", "X", "open", page], ["--viewport", "300x300", "open", page]],
        "network": [
            ["open", page, "--headers", '{"X-Test": "1"}'],
            ["emulate", "--offline"],
            ["emulate", "--network", "slow-3g"],
        ],
        "eval": [["--init-script", str(early), "open", page], ["wait", "--fn", "1"]],
        "machine": [["--cdp", "9", "get", "title"], ["connect", "9"], ["smoke", "9"], ["doctor", "--fix"]],
        "scripts": [["--executable", "/bin/true", "open", page], ["run", "--code", "1"]],
        "upload": [["network", "route", "**/api", "--file", str(state), "--resource-type", "fetch"]],
    }
    passed = {}
    for word, lines in ways.items():
        session = ["--session", f"deny-{word}", *denied_by(program, deny=word)]
        for line in lines:
            answer = program.ask(*session, *line)
            if f"{word} is denied by the action policy" not in answer.err:
                passed[word, *line] = answer.err or answer.out
    assert passed == {}
    program.ask("close", "--all")
    for line in (ways["state"][0], ways["eval"][0]):
        allowed = program.ask("--session", "free", "--fresh", *line)
        assert allowed.exit == 0, f"the control: {allowed.err}"
    assert "early" in program.ask("--session", "free", "eval", "globalThis.early").out


def test_a_secret_with_a_line_end_presses_no_key_that_is_denied(program, site):
    page = site.page("<form action=/nothing><input id=q name=q><input type=submit></form>")
    session = ["--session", "keys", *denied_by(program, deny="interact")]
    opened = program(*session, "open", page)
    assert opened.returncode == 0, opened.stderr
    refused = program(*session, "type", "#q", "env:TWO_LINES", TWO_LINES="one\ntwo")
    assert "interact is denied by the action policy" in refused.stderr
    assert "two" not in refused.stderr
    typed = program(*session, "type", "#q", "env:ONE_LINE", ONE_LINE="only-one")
    assert typed.returncode == 0, f"the control: {typed.stderr}"
    program.ask("close", "--all")


def test_under_a_policy_file_a_secret_runs_no_program_that_is_denied(program, site, lock):
    proof = program.work / "ran"
    own = program.home / ".config/boathook/boathook.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(f'[secrets]\nx = {{ command = ["/bin/sh", "-c", "echo v; : > {proof}"] }}\n')
    fill = ["--session", "programs", "fill", "#q", "secret:x"]
    try:
        assert program("--session", "programs", "open", site.page("<input id=q>")).returncode == 0
        lock('[actions]\ndeny = ["scripts"]\n')
        refused = program(*fill)
        assert "scripts is denied" in refused.stderr
        assert not proof.exists()
        lock("")
        assert program(*fill).returncode == 0
        assert proof.exists(), "the control: without the rule it is run"
    finally:
        own.unlink()
        program.ask("close", "--all")


def test_a_policy_that_the_users_file_names_is_beside_that_file(program, site):
    own = program.home / ".config/boathook/boathook.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text('action_policy = "rules.json"\n')
    (own.parent / "rules.json").write_text('{"deny": ["eval"]}')
    (program.work / "rules.json").write_text("{}")
    try:
        assert program("--session", "beside", "open", site.page("x")).returncode == 0
        assert "eval is denied" in program("--session", "beside", "eval", "1").stderr
    finally:
        own.unlink()
        (program.work / "rules.json").unlink()
        program.ask("close", "--all")


def test_what_the_user_wrote_into_the_own_file_is_not_the_callers(program, site):
    own = program.home / ".config/boathook/boathook.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("restore = 'work'\n")
    try:
        opened = program.ask("--session", "own", *denied_by(program, deny="state"), "open", site.page("x"))
        assert opened.exit == 0, opened.err
    finally:
        own.unlink()
        program.ask("close", "--all")


def test_disabled_scripts_are_disabled_for_scripts_of_settings_too(program, site):
    early = program.work / "script.js"
    early.write_text("document.title = 'early'")
    refused = program.ask(
        "--fresh", "--no-evaluate-enabled", "--init-script", str(early), "open", site.page("x")
    )
    assert "scripts in pages are disabled" in refused.err


def test_a_policy_file_holds_against_flags_variables_other_files_and_projects(program, site, lock):
    page, empty = site.page("<h1>Here"), program.work / "empty.toml"
    empty.write_text("")
    lock(
        'allowed_domains = ["127.0.0.1"]\nevaluate_enabled = false\nallow_file_access = false\n'
        f'output_roots = ["{program.work}"]\nboundaries = true\n[actions]\ndeny = ["state"]\n'
    )
    far = site.other_origin
    loosened = {
        ("--allowed-domains", "*", "--allow-private", "open", far): "localhost is not allowed",
        ("--config", str(empty), "open", far): "localhost is not allowed",
        ("batch", f"open {far} --allowed-domains *"): "localhost is not allowed",
        ("--evaluate-enabled", "eval", "1"): "policy.toml limits it",
        ("--config", str(empty), "eval", "1"): "policy.toml limits it",
        ("--allow-file-access", "open", "file:///etc/hostname"): "file:",
        ("--output-roots", "/", "screenshot", "/tmp/boathook-policy.png"): "outside the folders",
        ("cookies", "get"): "state is denied by the action policy",
        ("--cdp", "9", "get", "title"): "limits on hosts cannot be enforced",
    }
    wrong = {}
    for line, expected in loosened.items():
        answer = program.ask("--session", "locked", "--fresh", *line)
        if expected not in answer.err + answer.out:
            wrong[line] = answer.err or answer.out
    assert wrong == {}
    assert program.ask("--session", "locked", "--fresh", "open", page).exit == 0
    shot = program.ask("--session", "locked", "screenshot", "inside.png")
    assert shot.exit == 0, shot.err
    text = program.ask("--session", "locked", "--no-boundaries", "snapshot").out
    assert (
        "page content" in text.partition("\n")[0].lower() or "boundary" in text.partition("\n")[0].lower()
    ), text
    by_variable = program.ask("--session", "locked", "eval", "1", BOATHOOK_EVALUATE_ENABLED="true")
    assert "policy.toml limits it" in by_variable.err


def test_no_setting_leaves_a_policy_file(program, site, lock, tmp_path):
    """Each line was found by an attacker."""
    page, outside = site.page("<h1>Here"), tmp_path / "outside"
    outside.mkdir()
    script, ran = outside / "early.js", tmp_path / "ran"
    script.write_text("globalThis.early = 1")
    started = outside / "program.sh"
    started.write_text(f"#!/bin/sh\ntouch {ran}\n")
    started.chmod(0o755)
    lock(
        'allowed_domains = ["127.0.0.1"]\nscript_engine = "safe"\nencrypt_states = true\nevaluate_enabled = false\n'
        f'output_roots = ["{program.work}"]\nupload_roots = ["{program.work}"]\n[actions]\ndeny = ["scripts"]\n'
    )
    there = ("--session", "left", "--fresh")
    for line in (
        ("--browser", str(started), "open", "about:blank"),
        ("--browser", f"app:{started}", "open", "about:blank"),
        ("--proxy", "http://127.0.0.9:1", "open", page),
        ("--screenshot-dir", str(outside), "screenshot"),
        ("--profile", str(outside / "profile"), "open", page),
        ("--init-script", str(script), "open", page),
        ("--state", str(script), "open", page),
        ("state", "save", "plain.json", "--no-encrypt"),
        ("open", "data:text/html,<script>document.title=6*7</script>"),
    ):
        refused = program.ask(*there, *line)
        assert "[policy_blocked]" in refused.err, (line, refused.out, refused.err)
    assert not ran.exists()
    assert [path.name for path in outside.iterdir()] == ["early.js", "program.sh"]
    assert program.ask(*there, "open", "data:text/plain,hello").exit == 0, "the control"
    lock('script_engine = "safe"\nproxy = "http://127.0.0.9:1"\n')
    for engine in ("unsafe", "jail"):
        refused = program.ask(*there, "run", "--engine", engine, "--code", "return 1")
        assert "not allowed by a policy file" in refused.err
    direct = program.ask(*there, "--proxy-bypass", "*", "open", page.replace("127.0.0.1", "nowhere.test"))
    assert "PROXY" in direct.err.upper(), direct.err


def test_settings_from_other_sources_are_within_policy_files_too(program, site, lock):
    early = program.work / "other.js"
    early.write_text("globalThis.early = 1")
    lock("evaluate_enabled = false\n")
    elsewhere = program.home / "x/boathook"
    elsewhere.mkdir(parents=True)
    (elsewhere / "boathook.toml").write_text(f'init_script = ["{early}"]\n')
    page = site.page("x")
    for line, variables in (
        (("--user-agent", "env:XDG_CONFIG_HOME"), {"XDG_CONFIG_HOME": str(program.home / "x")}),
        (("--config", str(elsewhere / "boathook.toml")), {}),
    ):
        answer = program("--session", "sources", "--fresh", *line, "open", page, **variables)
        assert "early" not in answer.stdout
        ran = program.ask("--session", "sources", "get", "title")
        assert answer.returncode == 0 or "[policy_blocked]" in answer.stderr, answer.stderr
        assert ran.exit == 0
    (program.home / ".config/boathook/policy.toml").unlink()
    ran = program.ask("--session", "sources", "eval", "globalThis.early ?? 'not run'")
    assert "not run" in ran.out


def test_an_action_policy_of_the_users_file_is_added_to(program, site):
    own = program.home / ".config/boathook/boathook.toml"
    own.parent.mkdir(parents=True, exist_ok=True)
    strict, empty = program.work / "strict.json", program.work / "none.json"
    strict.write_text('{"deny": ["eval"]}')
    empty.write_text("{}")
    own.write_text(f'action_policy = "{strict}"\n')
    try:
        refused = program.ask("--session", "added", "--action-policy", str(empty), "eval", "1")
        assert "eval is denied" in refused.err
    finally:
        own.unlink()
        program.ask("close", "--all")


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_a_script_cannot_leave_an_action_policy_by_a_connection_of_its_own(program, site):
    program.ask("--session", "raw", "open", site.page("<button>Go"))
    code = ("run", "--js", "--code", "return (await context.newCDPSession(context.pages()[0])) !== null")
    refused = program.ask("--session", "raw", *denied_by(program, deny="click"), *code)
    assert "rules apply that can decide about commands but not about CDP messages" in refused.err
    assert (
        "scripts in pages are disabled" in program.ask("--session", "raw", "--no-evaluate-enabled", *code).err
    )
    free = program.ask("--session", "raw", "--fresh", *code)
    assert free.out.strip() == "true" or "Playwright is not installed" in free.err, "the control"


def test_keys_in_a_text_count_as_keys(program, site):
    program.ask("--session", "keys", "open", site.page("<label>Name <input></label>"))
    there = ("--session", "keys", *denied_by(program, deny="interact"))
    for text in ("a\tb", "a\n"):
        assert "interact is denied" in program.ask(*there, "type", "label=Name", text).err
    assert program.ask(*there, "type", "label=Name", "ab").exit == 0, "the control"


@pytest.mark.parametrize("setting", ["max_browsers = 50", "session = 'other'", "matches = 'first'"])
def test_a_project_cannot_set_what_is_the_users(program, setting):
    file = program.work / "boathook.toml"
    file.write_text(setting)
    try:
        assert "may not be set by a project" in program.ask("session", "list").err
    finally:
        file.unlink()


def test_files_that_are_nested_too_deeply_are_a_typed_error(program, lock):
    deep = "a = " + "[" * 30_000
    file = program.work / "deep.toml"
    file.write_text(deep)
    for flag in ("--config", "--action-policy"):
        said = program.ask(flag, str(file), "get", "title")
        assert "nested too deeply" in said.err, said.err
    lock(deep)
    assert "nested too deeply" in program.ask("get", "title").err
    assert program.ask("close", "--all").exit == 0


def test_a_policy_file_can_be_tightened(program, site, lock):
    lock('allowed_domains = ["127.0.0.1", "localhost"]\n')
    narrowed = program.ask("--fresh", "--allowed-domains", "localhost", "open", site.page("x"))
    assert "127.0.0.1 is not allowed" in narrowed.err
    other = program.ask("--fresh", "--allowed-domains", "localhost", "open", site.other_origin)
    assert other.exit == 0, other.err


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("evaluate_enabled = true\n", "can only be false in a policy file"),
        ("sandbox = 'off'\n", "can only be require"),
        ("viewport = '1x1'\n", "viewport is not a limit"),
        ("nonsense = 1\n", "unknown setting 'nonsense'"),
        ("[actions]\nrefuse = []\n", "unknown key 'refuse'"),
        ("[actions]\ndeny = ['evaluation']\n", "'evaluation'"),
        ("[agents.a.browser]\nheaded = true\n", "no agents"),
        ("= 1", "cannot be used"),
    ],
)
def test_a_policy_file_that_cannot_be_used_stops_everything_but_closing(program, lock, text, wrong):
    lock(text)
    refused = program.ask("get", "title")
    assert refused.exit != 0
    assert wrong in refused.err
    assert program.ask("close", "--all").exit == 0


def test_the_effective_rules_are_listed_with_their_sources(program, lock):
    lock('denied_domains = ["ads.example.org"]\n[actions]\nconfirm = ["upload"]\n')
    (program.work / "boathook.toml").write_text("evaluate_enabled = false\n")
    try:
        rules = json.loads(program.ask("--json", "doctor", "policy", "--no-scripts-enabled").out)["data"]
    finally:
        (program.work / "boathook.toml").unlink()
    found = {rule["name"]: rule for rule in rules}
    assert found["denied_domains"]["value"] == "ads.example.org"
    assert found["denied_domains"]["locked"]
    assert found["denied_domains"]["source"].endswith("policy.toml")
    assert found["actions to confirm"]["value"] == "upload"
    assert (found["scripts_enabled"]["value"], found["scripts_enabled"]["source"]) == ("off", "this call")
    assert found["evaluate_enabled"]["source"].endswith("work/boathook.toml")
    assert found["allowed_domains"] == {**found["allowed_domains"], "source": "default", "locked": False}


def test_the_account_finds_the_file_and_a_changed_home_does_not_hide_it(tmp_path, monkeypatch):
    monkeypatch.setattr(policy_files, "_account_home", lambda: str(tmp_path))
    file = tmp_path / ".config/boathook/policy.toml"
    file.parent.mkdir(parents=True)
    file.write_text("scripts_enabled = false\n")
    for environment in ({}, {"HOME": "/nowhere"}, {"HOME": "/nowhere", "XDG_CONFIG_HOME": "/nowhere/config"}):
        assert locked_policy(environment).tighten({"scripts_enabled": True}) == {"scripts_enabled": False}
    file.write_text("scripts_enabled = true\n")
    with pytest.raises(BadSetting):
        locked_policy({})


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    made = Home(tmp_path_factory.mktemp("people"))
    yield made
    made.say("daemon", "stop")


FOR_PEOPLE = (
    "install",
    "clean",
    "doctor --fix",
    "auth save desk --url https://example.org --username ann --password env:HOME",
    "auth delete desk",
    "state rotate",
)


async def test_what_is_for_people_is_out_of_a_models_reach(home):
    async with home.client("--tools", "full") as client:
        refused = text_of(await client.call_tool("batch", {"lines": list(FOR_PEOPLE)}))
        assert refused.count("only a person may do this") == len(FOR_PEOPLE), refused
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names.isdisjoint({"install", "clean", "auth_save", "auth_delete", "state_rotate"})
        assert {"doctor", "auth_login", "auth_list"} <= names, "the control"


@pytest.mark.parametrize("tools", ["direct", "named"])
async def test_a_browser_that_a_model_chooses_is_refused_under_limits(home, site, tools):
    with foreign_chromium() as (_, profile):
        address = f"http://127.0.0.1:{await port_of(profile)}"
        call = {
            "direct": ("browser_list", {"browser_url": address}),
            "named": ("browser", {"action": "open", "app": {"cdp_url": address}, "url": site.other_origin}),
        }[tools]
        async with home.client("--tools", tools, "--allowed-domains", "127.0.0.1") as client:
            refused = await client.call_tool(*call)
            assert code_of(refused) == "policy_blocked", text_of(refused)
        async with home.client("--tools", tools) as client:
            free = await client.call_tool(*call)
            assert not free.is_error, text_of(free)


async def test_over_mcp_a_policy_file_limits_the_tools_and_never_widens_their_folders(home):
    file = home.folder / ".config/boathook/policy.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('evaluate_enabled = false\noutput_roots = ["/"]\n')
    try:
        async with home.client("--tools", "full", "--evaluate-enabled") as client:
            assert "evaluate" not in {tool.name for tool in (await client.list_tools()).tools}
            outside = await client.call_tool("batch", {"lines": ["screenshot /var/boathook-test.png"]})
            assert "outside the folders" in text_of(outside)
    finally:
        file.unlink()
    async with home.client("--tools", "full", "--evaluate-enabled") as client:
        assert "evaluate" in {tool.name for tool in (await client.list_tools()).tools}, "the control"

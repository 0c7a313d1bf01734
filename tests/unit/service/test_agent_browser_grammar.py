"""Lines as prompts for other tools write them mean here what they mean there."""

import math

import pytest

from boathook import agent_browser_compat
from boathook.commands import catalogue
from boathook.errors import BadRequest, BadSetting, NotSupported, Unsupported
from boathook.service.input.command_line import read_line, table_of
from boathook.service.sessions.session_limits import idle_seconds

TABLE = table_of(catalogue())


@pytest.mark.parametrize(
    ("line", "name", "arguments"),
    [
        ("snapshot -i", "snapshot", {"mode": "interactive"}),
        ("snapshot -c", "snapshot", {"mode": "compact"}),
        ("snapshot -i -c", "snapshot", {"mode": "interactive"}),
        ("snapshot -c -i", "snapshot", {"mode": "interactive"}),
        ("snapshot -ic", "snapshot", {"mode": "interactive"}),
        ("snapshot --interactive --compact", "snapshot", {"mode": "interactive"}),
        (
            "snapshot -i -d 5 -s #main -u",
            "snapshot",
            {"mode": "interactive", "depth": 5, "root": "#main", "urls": True},
        ),
        (
            "snapshot --selector #main --depth 2 --urls",
            "snapshot",
            {"root": "#main", "depth": 2, "urls": True},
        ),
        ("snapshot -i --delta", "snapshot", {"mode": "interactive", "since": -1}),
        ("eval --stdin", "evaluate", {"script": "-"}),
        ("download @e3 report.pdf", "download", {"target": "@e3", "path": "report.pdf"}),
        ("state clear -a", "state_clear", {"all": True}),
        ("state clean --older-than 7", "state_clean", {"older_than": 7.0}),
        ("get cdp-url", "get_cdp_url", {}),
        ("read https://x.org/a --timeout 10000", "read_url", {"url": "https://x.org/a", "timeout": 10.0}),
        ("click #x --timeout 5", "click", {"target": "#x", "timeout": 5.0}),
        ("react suspense --only-dynamic", "react_suspense", {"only_waiting": True}),
        ("skills get core --full", "skills_get", {"name": "core", "full": True}),
        ("skills get --all", "skills_get", {"full": True}),
        ("doctor --offline --quick", "doctor", {"offline": True, "quick": True}),
        ("webmcp list add", "webmcp_list", {"tool": "add"}),
        ("wait --download", "wait_until", {"download": "."}),
        ("wait --download --timeout 5000", "wait_until", {"download": ".", "timeout": 5.0}),
        ("wait #x --timeout 500", "wait_until", {"what": "#x", "timeout": 0.5}),
        ("wait #x --timeout 300", "wait_until", {"what": "#x", "timeout": 300.0}),
        ("wait #x --timeout 400000", "wait_until", {"what": "#x", "timeout": 400.0}),
        ("click #x --timeout 900", "click", {"target": "#x", "timeout": 900.0}),
        ("wait --download got.txt", "wait_until", {"download": "got.txt"}),
        ("--annotate screenshot x.png", "screenshot", {"annotate": True, "path": "x.png"}),
        ("--full --screenshot-format jpeg screenshot", "screenshot", {"full_page": True, "format": "jpeg"}),
        ('--headers {"a":"b"} open x.org', "goto", {"headers": {"a": "b"}, "url": "x.org"}),
        ("session id", "session_id", {}),
    ],
)
def test_a_line_is_read_as_it_is_meant(line, name, arguments):
    read = read_line(line.split(), TABLE)
    assert (read.command.name, read.arguments) == (name, arguments)


@pytest.mark.parametrize("line", ["snapshot -z", "snapshot -d deep", "state rename one", "download", "eval"])
def test_what_is_not_understood_is_a_typed_error(line):
    with pytest.raises(BadRequest):
        read_line(line.split(), TABLE)


@pytest.mark.parametrize(
    ("line", "settings"),
    [
        ("--executable-path /bin/x get url", {"executable": "/bin/x"}),
        ("--ignore-https-errors get url", {"ignore_certificate_errors": True}),
        ("--ca-cert x.pem get url", {"ca_bundle": "x.pem"}),
        ("--content-boundaries get url", {"boundaries": True}),
        ("--session-name shop get url", {"restore": "shop"}),
        ("--auto-connect get url", {"browser": "relay"}),
        ("--no-auto-dialog get url", {"dialogs": "hold"}),
        ("get url --no-auto-dialog --headed", {"dialogs": "hold", "headed": True}),
        ("--headed false --json true get url", {"headed": False, "json": True}),
        ("open x.org --headed false", {"headed": False}),
        ("--user-agent Own/1 --color-scheme dark get url", {"user_agent": "Own/1", "color_scheme": "dark"}),
        ("--proxy-bypass a,b get url", {"proxy_bypass": ("a", "b")}),
        ("--pin-tab --no-webmcp --enable react-devtools --engine chrome --use-system-ca get url", {}),
        (
            "--hide-scrollbars false --input-mode human get url",
            {"scrollbars": True, "input_mode": "human"},
        ),
        ("--hide-scrollbars true get url", {"scrollbars": False}),
        ("--no-ca-cert get url", {"ca_bundle": False}),
    ],
)
def test_a_flag_of_others_is_a_setting_of_ours(line, settings):
    assert read_line(line.split(), TABLE).settings == settings


def test_a_word_behind_a_flag_that_starts_no_browser_is_the_commands():
    line = read_line(["fill", "#x", "--json", "true"], TABLE)
    assert line.arguments == {"target": "#x", "value": "true"}


@pytest.mark.parametrize("flag", agent_browser_compat.REFUSED)
def test_a_flag_that_there_is_not_says_why(flag):
    with pytest.raises(NotSupported, match="is not supported: "):
        read_line([flag, "x", "get", "url"], TABLE)


@pytest.mark.parametrize("command", agent_browser_compat.REFUSED_COMMANDS)
def test_a_command_that_there_is_not_says_why(command):
    with pytest.raises(NotSupported, match="is not supported: "):
        read_line([command, "list"], TABLE)


def test_what_belongs_to_the_start_of_a_browser_is_refused_with_a_way_out():
    with pytest.raises(Unsupported) as refused:
        read_line(["set", "proxy", "http://127.0.0.1:1"], TABLE)
    assert "--fresh --proxy" in refused.value.marked_hint
    with pytest.raises(Unsupported, match="client certificate"):
        read_line(["set", "client-certificate", "me.p12"], TABLE)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("10s", 10), ("3m", 180), ("1h", 3600), ("1500", 1.5), ("250ms", 0.25), ("0", math.inf)],
)
def test_times_to_be_idle_are_written_as_others_write_them(text, seconds):
    assert idle_seconds(text) == seconds


@pytest.mark.parametrize("text", ["soon", "-1", "1d", "", "1.5h"])
def test_what_is_no_time_to_be_idle_is_refused(text):
    with pytest.raises(BadSetting, match="invalid idle timeout"):
        idle_seconds(text)

"""Where settings come from: agents, projects and models; only the user can loosen anything."""

import pytest

from boathook.errors import BadSetting
from boathook.service.input.configuration import merge_settings, with_flags
from boathook.service.policy.policy import policy_of
from boathook.service.surface import Surface

USERS = """
evaluate_enabled = true

[browser]
allowed_domains = ["*.example.org", "localhost:3000"]
headless = true
executable_path = ""

[agents.web-scraper.browser]
evaluate_enabled = false
headless = false
"""


@pytest.fixture
def files(tmp_path):
    """The user's file and the project's; writes what is given and reads the settings."""
    home = tmp_path / "home/.config/boathook"
    project = tmp_path / "project"
    home.mkdir(parents=True)
    (project / ".git").mkdir(parents=True)

    def read(users=None, projects=None, flags=None, *, variables=None, **more):
        for folder, text in ((home, users), (project, projects)):
            if text is not None:
                (folder / "boathook.toml").write_text(text)
        environment = {"HOME": str(tmp_path / "home"), **(variables or {})}
        return merge_settings(flags or {}, environment=environment, folder=str(project), **more)

    return read


def test_an_agent_has_its_own_settings_over_the_defaults(files):
    usual = files(USERS)
    assert usual["evaluate_enabled"] is True
    assert usual["headed"] is False
    assert usual["allowed_domains"] == ("*.example.org", "localhost:3000")
    assert "executable" not in usual
    scraper = files(USERS, agent="web-scraper")
    assert scraper["evaluate_enabled"] is False
    assert scraper["headed"] is True
    assert scraper["allowed_domains"] == usual["allowed_domains"]


def test_the_table_of_settings_and_the_setting_of_its_name_are_told_apart(files):
    assert files('browser = "managed"\nheadless = true')["browser"] == "managed"
    assert files('[browser]\nbrowser = "managed"')["browser"] == "managed"


def test_a_list_of_agents_is_read_as_well(files):
    text = '[defaults.browser]\nheadless = true\n[[agents]]\nid = "one"\n[agents.browser]\nheadless = false\n'
    assert files(text)["headed"] is False
    assert files(text, agent="one")["headed"] is True


def test_an_unknown_agent_is_an_error_that_lists_the_known_ones(files):
    with pytest.raises(BadSetting, match="unknown agent: 'nobody'") as caught:
        files(USERS, agent="nobody")
    assert "web-scraper" in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "browser = 3",
        "[browser]\nsesion = 'x'",
        "[agents.a]\nevaluate_enabled = true",
        "[[agents]]\n[agents.browser]\nheadless = true",
        "allowed_domains = 'example.org'",
        "allowed_domains = [1]",
        "[secrets]\nx = { env = 'A' }",
    ],
)
def test_a_file_with_a_mistake_is_named(files, text):
    with pytest.raises(BadSetting, match=r"boathook\.toml"):
        files(None, text)


@pytest.mark.parametrize(
    ("projects", "name", "value"),
    [
        ('allowed_domains = ["www.example.org", "evil.example"]', "allowed_domains", ("www.example.org",)),
        ("allowed_domains = []", "allowed_domains", ()),
        ('denied_domains = ["ads.example.org"]', "denied_domains", ("cdn.example.org", "ads.example.org")),
        ("allow_private = false", "allow_private", False),
        ("evaluate_enabled = false", "evaluate_enabled", False),
        ("enabled = false", "enabled", False),
        ('confirm_actions = ["upload"]', "confirm_actions", ("click", "upload")),
        ("headless = false", "headed", True),
    ],
)
def test_a_project_may_narrow(files, projects, name, value):
    users = """
        allowed_domains = ["*.example.org"]
        denied_domains = ["cdn.example.org"]
        confirm_actions = ["click"]
        evaluate_enabled = true
        allow_private = true
    """
    assert files(users, projects)[name] == value


@pytest.mark.parametrize(
    "projects",
    [
        "allow_private = true",
        "evaluate_enabled = true",
        "scripts_enabled = true",
        "enabled = true",
        'output_roots = ["/"]',
        'upload_roots = ["/"]',
        'screenshot_dir = "/"',
        'executable_path = "/bin/sh"',
        '[browser]\nexecutable = "/bin/sh"',
        "[agents.a.browser]\nevaluate_enabled = true",
    ],
)
@pytest.mark.parametrize("surface", [Surface.COMMAND_LINE, Surface.MCP_STDIO])
def test_a_project_may_not_loosen(files, projects, surface):
    with pytest.raises(BadSetting, match="by a project"):
        files("enabled = false\n[agents.a.browser]\n", projects, agent="a", surface=surface)


def test_what_the_user_says_later_wins_over_the_project(files):
    got = files("", 'allowed_domains = ["example.org"]', {"allowed_domains": ("other.example",)})
    assert got["allowed_domains"] == ("other.example",)
    got = files(
        "",
        'allowed_domains = ["example.org"]',
        variables={"BOATHOOK_ALLOWED_DOMAINS": "a.example, b.example"},
    )
    assert got["allowed_domains"] == ("a.example", "b.example")


def test_flags_from_a_model_can_only_narrow(files):
    base = files(USERS, surface=Surface.MCP_STDIO)
    assert with_flags(
        base, {"allowed_domains": ("www.example.org",), "tab": "t2"}, folder="/", trusted=False
    ) == {
        **base,
        "allowed_domains": ("www.example.org",),
        "tab": "t2",
    }
    for flags in (
        {"allow_private": True},
        {"scripts_enabled": True},
        {"output_roots": ("/",)},
        {"proxy": "http://x:1"},
    ):
        with pytest.raises(BadSetting, match="by a project or a model"):
            with_flags(base, flags, folder="/", trusted=False)
        assert with_flags(base, flags, folder="/", trusted=True)


def test_doors_have_defaults_that_the_user_can_change(files):
    assert "evaluate_enabled" not in files("")
    assert files("", surface=Surface.MCP_STDIO)["evaluate_enabled"] is False
    assert "allow_private" not in files("", surface=Surface.MCP_STDIO)
    assert files("", surface=Surface.MCP_HTTP)["allow_private"] is False
    opened = files("allow_private = true\nevaluate_enabled = true", surface=Surface.MCP_HTTP)
    assert opened["allow_private"] is True
    assert policy_of(opened, surface=Surface.MCP_HTTP).evaluate


def test_roots_are_meant_from_where_they_are_written(files, tmp_path):
    got = files('output_roots = ["out"]', "", {"upload_roots": ("in",)})
    assert got["output_roots"] == (str(tmp_path / "home/.config/boathook/out"),)
    assert got["upload_roots"] == (str(tmp_path / "project/in"),)


@pytest.mark.parametrize(
    "line",
    [
        "fresh = true",
        "timeout = 0.001",
        "max_output = 1",
        'tab = "t1"',
        "json = true",
        "ends_with = 1",
        "debug = true",
    ],
)
def test_a_project_cannot_disturb_or_hide_every_call(files, line):
    with pytest.raises(BadSetting, match="may not be set by a project"):
        files(projects=line)
    name = line.partition(" ")[0]
    assert name in files(line, projects=""), "the user can"


def test_only_the_user_can_print_page_content_without_boundaries(files, tmp_path):
    with pytest.raises(BadSetting, match="may only be set to true"):
        files(projects="boundaries = false")
    assert files(projects="boundaries = true")["boundaries"] is True
    settings = files(projects="")
    with pytest.raises(BadSetting, match="may only be set to true"):
        with_flags(settings, {"boundaries": False}, folder=str(tmp_path), trusted=False)
    assert (
        with_flags(settings, {"boundaries": False}, folder=str(tmp_path), trusted=True)["boundaries"] is False
    )

"""Setting up other programs: our entry goes in and out, and nothing else of theirs is touched."""

import json
import tomllib

import pytest

from boathook.errors import BadRequest
from boathook.mcp_clients.client_setup import BACKUP, ConfigScope, set_up, snippet
from boathook.mcp_clients.known_clients import CLIENTS, SERVER


@pytest.fixture
def where(tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    return lambda place="user": ConfigScope(place=place, home=home, project=project)


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("place", ["user", "project"])
@pytest.mark.parametrize("name", CLIENTS)
def test_what_is_set_up_is_taken_out_again_without_a_trace(name, place, where):
    if not CLIENTS[name].config(place):
        with pytest.raises(BadRequest, match=r"has no .* configuration file"):
            set_up(name, where(place))
        return
    told = set_up(name, where(place))
    folder = where(place).folder()
    config = folder / CLIENTS[name].config(place)
    assert SERVER in config.read_text()
    assert f"wrote {config}" in told
    assert f"+++ {config} (after)" in told
    assert (
        (folder / CLIENTS[name].skills(place) / SERVER / "SKILL.md")
        .read_text()
        .startswith("---\nname: boathook")
    )
    assert "nothing to change" in set_up(name, where(place))
    set_up(name, where(place), undo=True)
    left = [path for path in files(folder) if not path.name.endswith(BACKUP)]
    assert left == []


@pytest.mark.parametrize(
    ("name", "key", "command"),
    [("claude", "mcpServers", "args"), ("vscode", "servers", "args"), ("opencode", "mcp", "command")],
)
def test_servers_and_settings_of_others_stay_as_they_are(name, key, command, where):
    config = where().home / CLIENTS[name].user
    config.parent.mkdir(parents=True, exist_ok=True)
    theirs = {"theme": "dark", key: {"other": {"command": "x"}}, "last": [1, 2]}
    config.write_text(json.dumps(theirs, indent=4))
    config.chmod(0o640)
    set_up(name, where(), tools="core,storage")
    now = json.loads(config.read_text())
    ours = now[key].pop(SERVER)
    assert now == theirs
    assert list(now) == list(theirs), "in their order"
    assert ours[command][-3:] == ["mcp", "--tools", "core,storage"]
    assert '\n    "theme"' in config.read_text(), "with their indentation"
    assert config.stat().st_mode & 0o777 == 0o640
    assert json.loads(config.with_name(config.name + BACKUP).read_text()) == theirs
    set_up(name, where(), undo=True)
    assert json.loads(config.read_text()) == theirs


def test_a_toml_file_keeps_its_comments_and_its_other_tables(where):
    config = where().home / ".codex/config.toml"
    config.parent.mkdir()
    before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n'
    old = (
        '\n[mcp_servers.boathook]\ncommand = "old"\n\n[mcp_servers.boathook.env]\nA = "b"\n\n[tail]\nz = 1\n'
    )
    config.write_text(before + old)
    set_up("codex", where())
    text = config.read_text()
    assert "# mine" in text
    content = tomllib.loads(text)
    assert content["tail"] == {"z": 1}
    assert content["mcp_servers"]["other"] == {"command": "y"}
    assert content["mcp_servers"][SERVER]["args"][-1] == "mcp"
    assert "env" not in content["mcp_servers"][SERVER]
    set_up("codex", where(), undo=True)
    assert SERVER not in config.read_text()
    assert config.read_text().startswith(before)


def test_a_look_ahead_writes_nothing(where):
    told = set_up("cursor", where(), dry_run=True)
    assert '+    "boathook"' in told
    assert told.endswith("nothing was written")
    assert files(where().home) == {}
    set_up("cursor", where())
    assert files(where().home) != {}, "without it, files are written"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("// comment\n{}", "not plain JSON"),
        ("[1]", "not contain a JSON object"),
        ('{"mcpServers": 3}', "is not an object"),
    ],
)
def test_a_file_that_cannot_be_read_is_left_alone(text, said, where):
    config = where().home / ".cursor/mcp.json"
    config.parent.mkdir()
    config.write_text(text)
    with pytest.raises(BadRequest, match=said):
        set_up("cursor", where())
    assert config.read_text() == text
    assert files(where().home) == {config: text.encode()}


def test_a_broken_toml_file_is_left_alone(where):
    config = where().home / ".codex/config.toml"
    config.parent.mkdir()
    config.write_text("= broken")
    with pytest.raises(BadRequest, match="cannot be read"):
        set_up("codex", where())
    assert config.read_text() == "= broken"


def test_a_link_to_a_file_elsewhere_stays_a_link(where, tmp_path):
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    config = where().home / ".cursor/mcp.json"
    config.parent.mkdir()
    config.symlink_to(kept)
    set_up("cursor", where())
    assert config.is_symlink()
    assert SERVER in kept.read_text()


def test_an_unknown_client_is_answered_with_the_known_ones(where):
    with pytest.raises(BadRequest, match="use one of claude, claude-desktop, codex"):
        set_up("netscape", where())


def test_the_entry_alone_can_be_shown():
    assert json.loads(snippet("gemini"))["mcpServers"][SERVER]["args"][-1] == "mcp"

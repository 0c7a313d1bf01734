"""Setting up other programs: our entry goes in and out, and nothing else of theirs is touched."""

import json
import tomllib

import pytest
import yaml

from boathook.errors import BadRequest
from boathook.mcp_clients.client_setup import BACKUP, SKILL, ConfigScope, plan, plan_undo, snippet, write
from boathook.mcp_clients.known_clients import CLIENTS, SERVER, is_installed

COMMAND = ["/opt/venv/bin/boathook", "mcp"]
JSON = '{\n    // mine\n    "theme": "dark", /* yes */\n    "list": [1, 2,],\n}\n'
CRLF = '{\r\n\t"theme": "dark"\r\n}'
TOML = '# mine\nmodel = "x"\n\n[mcp_servers.other]  # theirs\ncommand = "y"'
YAML = "# mine\nprovider: x\nextensions:\n    # theirs\n    other:\n        enabled: true\n        cmd: y\n\nlast: 1  # end\n"


@pytest.fixture
def where(tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    return lambda place="user": ConfigScope(place=place, home=home, project=project)


def set_up(name, scope, *, command=COMMAND):
    changes = plan(CLIENTS[name], scope, command=command)
    return [line for change in changes for line in write(change, scope)]


def undo(name, scope):
    changes = plan_undo(CLIENTS[name], scope)
    return [line for change in changes for line in write(change, scope)]


def tree(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def config_of(name, scope):
    path = scope.config(CLIENTS[name])
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def data_in(path):
    text = path.read_text()
    if path.suffix == ".toml":
        return tomllib.loads(text)
    return yaml.safe_load(text)  # which reads JSON too


def entry_of(name, path):
    data = data_in(path)
    for key in CLIENTS[name].servers:
        data = data[key]
    return data[SERVER]


def both_places():
    return [
        (name, place)
        for name, client in CLIENTS.items()
        for place in ("user", "project")
        if client.config(place)
    ]


@pytest.mark.parametrize(("name", "place"), both_places())
def test_what_is_set_up_is_taken_out_again_without_a_trace(name, place, where):
    scope = where(place)
    assert set_up(name, scope)
    entry = entry_of(name, scope.config(CLIENTS[name]))
    words = entry["command"] if name == "opencode" else [entry.get("command") or entry["cmd"], *entry["args"]]
    assert words == COMMAND
    assert scope.skill(CLIENTS[name]).read_text() == SKILL
    assert plan(CLIENTS[name], scope, command=COMMAND) == [], "nothing is left to do"
    undo(name, scope)
    assert tree(scope.folder()) == {}


def test_undo_leaves_empty_folders_that_were_there_before(where):
    (where().home / ".codex").mkdir()
    (where().home / ".config").mkdir()
    before = tree(where().home)
    for name in ("codex", "zed", "codex"):
        set_up(name, where())
    for name in ("codex", "zed"):
        undo(name, where())
    assert tree(where().home) == before
    set_up("kiro", where())
    assert (where().home / ".kiro/settings").is_dir(), "the control: a folder that setup makes"
    undo("kiro", where())
    assert tree(where().home) == before


@pytest.mark.parametrize(
    "original", ["", "{}", JSON, CRLF, '{"mcpServers": {}}', "\ufeff{\n}\n", "TOML", "YAML"]
)
@pytest.mark.parametrize("name", CLIENTS)
def test_undo_restores_every_byte_of_a_file_that_nobody_changed_since(name, original, where):
    kind = CLIENTS[name].format
    text = {"toml": TOML, "yaml": YAML}.get(kind, original) if original else ""
    if kind == "json" and text in {"TOML", "YAML"}:
        text = JSON.replace("\n", "\r\n")
    config = config_of(name, where())
    config.write_bytes(text.encode())
    config.chmod(0o640)
    before = tree(where().home)
    set_up(name, where())
    set_up(name, where(), command=[*COMMAND, "--tools", "full"])
    assert SERVER in config.read_text()
    assert config.stat().st_mode & 0o777 == 0o640
    undo(name, where())
    assert tree(where().home) == before
    assert config.stat().st_mode & 0o777 == 0o640


def test_undo_keeps_what_others_have_changed_since(where):
    config = config_of("zed", where())
    config.write_text(JSON)
    set_up("zed", where())
    config.write_text(config.read_text().replace('"dark"', '"light"'))
    undo("zed", where())
    assert config.read_text() == JSON.replace('"dark"', '"light"').replace(
        '    "list": [1, 2,],\n', '    "list": [1, 2,],\n    "context_servers": {\n    },\n'
    )
    assert not config.with_name(config.name + BACKUP).exists()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{}", '{\n  "mcpServers": {\n    "boathook": ENTRY\n  }\n}'),
        ('{"a": 1}', '{"a": 1, "mcpServers": {"boathook": ENTRY}}'),
        (
            '{\n  "mcpServers": {\n    "x": {} // theirs\n  } // end\n}\n',
            '{\n  "mcpServers": {\n    "x": {}, // theirs\n    "boathook": ENTRY\n  } // end\n}\n',
        ),
        ("{\n  // nothing yet\n}", '{\n  // nothing yet\n  "mcpServers": {\n    "boathook": ENTRY\n  }\n}'),
        (
            '{"mcpServers": {"boathook": {"command": "old"}, "y": 1}}',
            '{"mcpServers": {"boathook": ENTRY, "y": 1}}',
        ),
        ("{mcpServers: {'x': 1,}}", "{mcpServers: {'x': 1, \"boathook\": ENTRY}}"),
    ],
)
def test_only_our_entry_is_added_to_json_with_comments(text, wanted, where):
    config = config_of("cursor", where())
    config.write_text(text)
    set_up("cursor", where())
    made = config.read_text()
    start = made.index('"boathook": ') + len('"boathook": ')
    entry, length = json.JSONDecoder().raw_decode(made[start:])
    assert entry == {"command": COMMAND[0], "args": COMMAND[1:]}
    assert made[:start] + "ENTRY" + made[start + length :] == wanted


def test_a_toml_table_is_replaced_where_it_stands(where):
    config = config_of("codex", where())
    old = '\n\n[mcp_servers.boathook]\ncommand = "old"\n\n[mcp_servers.boathook.env]\nA = "b"\n\n# about the tail\n[tail]\nz = 1\n'
    config.write_text(TOML + old)
    set_up("codex", where())
    section = f'[mcp_servers.boathook]\ncommand = "{COMMAND[0]}"\nargs = ["mcp"]\n'
    assert config.read_text() == f"{TOML}\n\n{section}\n# about the tail\n[tail]\nz = 1\n"


def test_a_yaml_block_keeps_its_indentation_and_comments(where):
    config = config_of("goose", where())
    config.write_text(YAML)
    set_up("goose", where())
    text = config.read_text()
    assert next(line for line in text.splitlines() if line not in YAML.splitlines()) == "    boathook:"
    assert [line for line in YAML.splitlines() if line not in text.splitlines()] == []
    assert data_in(config)["last"] == 1
    assert set(data_in(config)["extensions"]) == {"other", SERVER}


def test_an_empty_yaml_mapping_becomes_a_block(where):
    config = config_of("goose", where())
    config.write_text("a: 1\nextensions: {}  # none yet\nb: 2\n")
    set_up("goose", where())
    lines = config.read_text().splitlines()
    assert lines[:3] == ["a: 1", "extensions:  # none yet", "  boathook:"]
    assert lines[-1] == "b: 2"
    assert entry_of("goose", config)["cmd"] == COMMAND[0]
    undo("goose", where())
    assert config.read_text() == "a: 1\nextensions: {}  # none yet\nb: 2\n"


def test_servers_and_settings_of_others_stay_as_they_are(where):
    config = config_of("claude", where())
    theirs = {"theme": "dark", "mcpServers": {"other": {"command": "x"}}, "last": [1, 2]}
    config.write_text(json.dumps(theirs, indent=4))
    set_up("claude", where())
    now = json.loads(config.read_text())
    del now["mcpServers"][SERVER]
    assert now == theirs
    assert list(now) == list(theirs), "in their order"
    assert json.loads(config.with_name(config.name + BACKUP).read_text()) == theirs


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("cursor", '{"a": 1', "missing comma or bracket in line 1"),
        ("cursor", "{} {}", "more text after the value"),
        ("cursor", "[1]", "not contain an object"),
        ("cursor", '{"mcpServers": 3}', "is not an object"),
        ("cursor", '{"mcpServers": {}, "mcpServers": {"boathook": 1}, "mcpServers": []}', "is not an object"),
        ("cursor", "[" * 5000, "too many levels"),
        ("codex", "= broken", "cannot be edited"),
        ("codex", 'mcp_servers = {other = {command = "x"}}', "cannot be edited"),
        ("codex", '[mcp_servers]\nboathook = {command = "x"}', "cannot be edited"),
        ("goose", "extensions: {a: {enabled: true}}\n", "not written as a block"),
        ("goose", "a: 1\n---\nb: 1\n", "several documents"),
    ],
)
def test_a_file_that_cannot_be_edited_is_left_alone(name, text, said, where):
    config = config_of(name, where())
    config.write_text(text)
    before = tree(where().home)
    with pytest.raises(BadRequest, match=said):
        set_up(name, where())
    assert tree(where().home) == before


def test_a_link_to_a_file_elsewhere_stays_a_link(where, tmp_path):
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    config = config_of("cursor", where())
    config.symlink_to(kept)
    set_up("cursor", where())
    assert config.is_symlink()
    assert SERVER in kept.read_text()
    undo("cursor", where())
    assert config.is_symlink()
    assert kept.read_text() == "{}"


def test_a_skill_that_clients_share_stays_until_the_last_of_them_is_undone(where):
    set_up("codex", where())
    set_up("zed", where())
    undo("codex", where())
    assert where().skill(CLIENTS["zed"]).is_file()
    undo("zed", where())
    assert tree(where().home) == {}


def test_the_differences_show_only_our_lines(where):
    config = config_of("cursor", where())
    config.write_text('{\n  "token": "secret-of-theirs",\n  "mcpServers": {\n    "a": {}\n  }\n}\n')
    shown = plan(CLIENTS["cursor"], where(), command=COMMAND)[0].difference
    assert '+    "boathook"' in shown
    assert "secret-of-theirs" not in shown


def test_variables_of_clients_name_their_folders(tmp_path, where):
    scope = ConfigScope(
        place="user",
        home=where().home,
        project=where().project,
        environment={"CODEX_HOME": str(tmp_path / "c"), "XDG_CONFIG_HOME": str(tmp_path / "x")},
    )
    assert scope.config(CLIENTS["codex"]) == tmp_path / "c/config.toml"
    assert scope.config(CLIENTS["zed"]) == tmp_path / "x/zed/settings.json"
    assert scope.config(CLIENTS["claude"]) == where().home / ".claude.json"


def test_installed_clients_are_found_by_program_or_folder(tmp_path, where):
    def found(path=""):
        return [
            name
            for name, one in CLIENTS.items()
            if is_installed(one, home=where().home, environment={"PATH": path})
        ]

    assert found() == []
    (where().home / ".gemini").mkdir()
    program = tmp_path / "bin/codex"
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    assert found(str(program.parent)) == ["codex", "gemini"]


def test_a_client_without_a_file_for_a_project_is_refused(where):
    with pytest.raises(BadRequest, match="has no project configuration file"):
        set_up("windsurf", where("project"))


def test_the_entry_alone_can_be_shown():
    assert json.loads(snippet(CLIENTS["gemini"], COMMAND))["mcpServers"][SERVER]["args"] == ["mcp"]

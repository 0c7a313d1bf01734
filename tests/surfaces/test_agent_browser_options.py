"""Options that come from other programs do here what they say."""

import json
from pathlib import Path

import pytest

from boathook.service.sessions.session_manager import name_in
from tests.support.program import Program

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("options"))
    (made.work / ".git").mkdir()
    yield made
    made.stop()


def test_a_name_for_a_session_belongs_to_a_folder_a_checkout_or_a_repository(tmp_path):
    repository, further = tmp_path / "repository", tmp_path / "further"
    (repository / ".git/worktrees/further").mkdir(parents=True)
    (repository / "inner").mkdir()
    further.mkdir()
    (further / ".git").write_text(f"gitdir: {repository}/.git/worktrees/further\n")

    def name(folder, scope):
        return name_in(str(folder), scope=scope, prefix="p")

    assert name(repository / "inner", "worktree") == name(repository, "worktree")
    assert name(repository / "inner", "cwd") != name(repository, "cwd")
    assert name(further, "worktree") != name(repository, "worktree")
    assert name(further, "git-root") == name(repository, "git-root") == name(repository, "worktree")


def test_the_name_for_a_session_is_told_and_can_be_used(program, site):
    name = program("session", "id", "--scope", "cwd", "--prefix", "shop").stdout.strip()
    assert name.startswith("shop-")
    assert program("session", "id", "--scope", "cwd", "--prefix", "shop").stdout.strip() == name
    assert program("--session", name, "open", site.page("x", title="There")).returncode == 0
    assert program("--session", name, "get", "title").stdout == "There\n"
    wrong = program.json("session", "id", "--prefix", "../up")
    assert wrong["error"]["code"] == "bad_request"
    program("--session", name, "close")


def test_steps_of_a_batch_need_not_repeat_their_words(program, site):
    program("open", site.page("x", title="Here"))
    told = program.json("batch", "get title", "get url")["data"]
    assert told[0]["argv"] == ["get", "title"]
    short = program.json("batch", "--omit-command", "get title", "get url")["data"]
    assert [item["argv"] for item in short] == [[], []]
    assert short[0]["data"] == "Here"


def test_the_guide_is_a_file_and_is_told_whole(program):
    path = Path(program("skills", "path").stdout.strip())
    assert path.read_text(encoding="utf-8").strip() == program("skills", "get", "--full").stdout.strip()


def test_a_quick_look_for_troubles_starts_no_browser(program):
    assert "start" in {entry["name"] for entry in program.json("doctor")["data"]}
    assert "start" not in {entry["name"] for entry in program.json("doctor", "--quick", "--offline")["data"]}


def test_one_call_over_mcp_is_a_command_line_here(program):
    refused = program("mcp", "call", "open", json.dumps({"url": "about:blank"}))
    assert refused.returncode != 0
    assert "boathook --json COMMAND" in refused.stderr

"""Blocks of the docs that are not typed at a terminal: settings are accepted, scripts run, and none is without a test."""

import json
import re
import tomllib
from dataclasses import dataclass

import pytest
import yaml
from examples.ticket_desk.demo import SITE, served

from boathook.sandbox import jail
from boathook.service.input.configuration_file import configuration_of
from boathook.service.policy.action_rules import read_rules
from boathook.service.secrets.secret_sources import _check_entry
from tests.docs.test_docs import DOCS, PAGES, mistakes
from tests.support.program import Program

BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
RECIPES = "## Ten recipes"
SCRIPTS = {"js": ("--js",), "py": ("--engine", "unsafe")}
"""Scripts in front of the recipes, and how they are run."""
HERE = {
    ("mcp.md", "json"),
    ("policy.md", "json"),
    ("policy.md", "toml"),
    ("qa.md", "yaml"),
    ("scripts.md", "js"),
    ("state.md", "toml"),
}
ELSEWHERE = {
    "console": "test_docs.py types it",
    "python": "test_docs.py runs it",
    "sh": "test_docs.py reads each line",
    ("clients.md", "json"): "written from what setup writes",
    ("clients.md", "toml"): "written from what setup writes",
    ("clients.md", "yaml"): "written from what setup writes",
    ("debugging.md", "text"): "a URL that differs in each run",
    ("frameworks.md", "js"): "a file that tests/clients runs",
    ("frameworks.md", "py"): "files that tests/clients runs",
    ("network.md", "text"): "the form of lines whose numbers and times differ in each run",
    ("python.md", "py"): "the example of the pytest plugin: test_docs.py runs it",
    ("reference.md", "text"): "written from the commands",
    ("relay.md", ""): "a drawing",
    ("relay.md", "js"): "tests/extension/walk connects in both ways",
    ("scripts.md", "py"): "here, and the recipes in tests/scripts/test_recipes.py",
    ("scripts.md", "text"): "what the recipes print, in tests/scripts/test_recipes.py",
}


@dataclass(frozen=True)
class Block:
    page: str
    kind: str
    text: str

    @property
    def is_file(self):
        """A block with a name is a file that lies where the page's lines are typed."""
        return " " in self.kind


def blocks(*kinds, page=""):
    """The blocks of these kinds, without the files."""
    found = [Block(file.name, *match) for file in PAGES for match in BLOCK.findall(file.read_text())]
    return [
        block
        for block in found
        if not block.is_file and (not kinds or block.kind in kinds) and page in {"", block.page}
    ]


def test_no_block_is_without_a_test():
    for block in blocks():
        ways = {block.kind, (block.page, block.kind)}
        assert ways & {*HERE, *ELSEWHERE}, f"{block.page}: who runs this?\n{block.text}"


@pytest.mark.parametrize("block", [*blocks("toml", page="policy.md"), *blocks("toml", page="state.md")])
def test_settings_in_the_docs_are_accepted(block, tmp_path):
    file = tmp_path / "boathook.toml"
    found = configuration_of(file, tomllib.loads(block.text))
    for agent in ("", *found.agents):
        found.settings(agent or None, trusted=True)
    for name, entry in found.secrets.items():
        _check_entry(file, name, entry)
    assert found.secrets or found.settings(None, trusted=True), "the control: it sets something"


def test_policies_and_entries_in_the_docs_are_accepted(tmp_path):
    for block in blocks("json", page="policy.md"):
        (tmp_path / "policy.json").write_text(block.text)
        assert read_rules(str(tmp_path / "policy.json")).words
    [entry] = blocks("json", page="mcp.md")
    assert json.loads(entry.text)["mcpServers"]["boathook"]["args"] == ["mcp"]


def test_lines_of_the_ci_example_are_commands_with_their_arguments():
    [block] = blocks("yaml", page="qa.md")
    runs = [step["run"] for step in yaml.safe_load(block.text)["steps"] if "run" in step]
    lines = [part.split()[1:] for run in runs for part in run.split(" && ") if part.startswith("boathook ")]
    assert len(lines) == 2, "the control"
    assert list(mistakes(("qa.md", words) for words in lines)) == []


@pytest.mark.slow
@pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here")
def test_scripts_in_front_of_the_recipes_run(tmp_path):
    text = (DOCS / "scripts.md").read_text().partition(RECIPES)[0]
    scripts = [(kind, script) for kind, script in BLOCK.findall(text) if kind in SCRIPTS]
    assert {kind for kind, _ in scripts} == set(SCRIPTS), "the control"
    program = Program(tmp_path)
    try:
        with served(SITE) as site:
            for kind, script in scripts:
                assert program("open", f"{site}/index.html").returncode == 0
                done = program("run", "-", *SCRIPTS[kind], stdin=script)
                assert done.returncode == 0, done.stderr
                assert done.stdout.strip()
    finally:
        program.stop()

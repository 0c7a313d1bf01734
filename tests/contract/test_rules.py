"""Rules of the house that a machine can check."""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SLEEP = re.compile(r"asyncio\.sleep\((?!0\))")
WAITS_FOR_OTHERS = {
    "tests/support/waiting.py",
    "tests/contract/test_rules.py",
    "tests/extension/stress_relay.py",  # it disturbs at random moments
}


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


def test_no_test_sleeps_to_wait():
    files = [
        path
        for path in (ROOT / "tests").rglob("*.py")
        if path.relative_to(ROOT).as_posix() not in WAITS_FOR_OTHERS
    ]
    assert len(files) > 20
    assert [path.name for path in files if SLEEP.search(path.read_text())] == []
    assert SLEEP.search((ROOT / "tests/support/waiting.py").read_text()), "the positive control"


def test_tests_reach_the_engine_below_the_api_in_one_place_only():
    using = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "_engine"
    }
    assert using == {"tests/support/engine.py"}


def test_generated_files_are_current():
    for tool in ("python_api", "generate_docs"):
        done = subprocess.run(
            [sys.executable, "-m", f"tools.{tool}", "--check"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


def test_the_page_scripts_use_no_global_that_a_page_could_replace_with_an_element():
    """Named elements become properties of the window, also in our world: only builtins and our own names may be read."""
    from boathook.engine.page_scripts import walker_source

    source = walker_source()
    assert source.startswith("(() => {")
    assert "'use strict'" in source[:100]
    assert not re.search(r"\beval\(|new Function\(", source)


def test_every_text_file_speaks_of_the_project_alone():
    private = re.compile("/work" + "/|/root" + "/|pypi" + r"\.org|registry" + r"\.npm|deb" + r"\.debian")
    named = [
        path
        for path in tracked("*.py", "*.md", "*.toml", "*.json", "*.js", "Makefile", ".ci/run")
        if path.name != "test_rules.py"
    ]
    assert not [path.relative_to(ROOT) for path in named if private.search(path.read_text(errors="replace"))]

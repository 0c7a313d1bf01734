"""Shell completion without a daemon."""

import shutil
import subprocess

import pytest

from boathook.surfaces.cli.completion import candidates
from tests.daemon.conftest import CLIENT

KNOWN = {
    "completion": {
        "open": {"flags": {"--timeout": []}, "arguments": []},
        "get text": {"flags": {"--nth": []}, "arguments": []},
        "get title": {"flags": {}, "arguments": []},
        "tab": {"flags": {}, "arguments": []},
        "tab new": {"flags": {"--label": []}, "arguments": []},
        "snapshot": {"flags": {"--mode": ["compact", "full"], "--urls": None, "-i": None}, "arguments": []},
        "find": {"flags": {"--name": []}, "arguments": [["label", "role", "text"], []]},
    },
    "settings": {"--session": [], "--json": None, "--color": ["always", "auto", "never"]},
}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ([""], ["find", "get", "open", "snapshot", "tab"]),
        (["s"], ["snapshot"]),
        (["get", ""], ["text", "title"]),
        (["get", "te"], ["text"]),
        (["tab", ""], ["new"]),
        (["snapshot", "--"], ["--color", "--json", "--mode", "--session", "--urls"]),
        (["snapshot", "-"], ["--color", "--json", "--mode", "--session", "--urls", "-i"]),
        (["snapshot", "--mode", ""], ["compact", "full"]),
        (["snapshot", "--mode", "f"], ["full"]),
        (["snapshot", "--urls", "--mode", ""], ["compact", "full"]),
        (["find", ""], ["label", "role", "text"]),
        (["find", "--name", "Save", "r"], ["role"]),
        (["find", "role", ""], []),
        (["--session", ""], []),
        (["--session", "work", "g"], ["get"]),
        (["--json", "get", ""], ["text", "title"]),
        (["--color", "a"], ["always", "auto"]),
        (["nonsense", ""], []),
        ([], ["find", "get", "open", "snapshot", "tab"]),
    ],
)
def test_what_may_come_next(line, expected):
    assert candidates(line, KNOWN) == expected


def test_without_a_catalogue_nothing_is_offered():
    assert candidates(["o"], {}) == []


def test_the_real_catalogue_knows_commands_flags_and_choices():
    assert {"click", "snapshot", "daemon", "uninstall"} <= set(candidates([""]))
    assert {"text", "title", "url"} <= set(candidates(["get", ""]))
    assert "full" in candidates(["snapshot", "--mode", ""])
    assert candidates(["daemon", "st"]) == ["start", "status", "stop"]
    assert candidates(["completion", ""]) == ["bash", "fish", "zsh"]


TYPED = {
    "bash": """
source <(boathook completion bash)
COMP_WORDS=(boathook get ti) COMP_CWORD=2; _boathook; echo "${COMPREPLY[@]}"
COMP_WORDS=(boathook snapshot --mode "") COMP_CWORD=3; _boathook; echo "${COMPREPLY[@]}"
""",
    "zsh": """
compdef() { : }; compadd() { print -r -- "$found" }
source <(boathook completion zsh)
words=(boathook get ti); CURRENT=3; _boathook
words=(boathook snapshot --mode ""); CURRENT=4; _boathook
""",
    "fish": """
boathook completion fish | source
echo (complete -C "boathook get ti")
echo (complete -C "boathook snapshot --mode ")
""",
}


@pytest.mark.parametrize("shell", TYPED)
def test_a_shell_completes_with_it_and_no_daemon_starts(user, tmp_path, shell):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not on this machine")
    (tmp_path / "boathook").write_text(f'#!/bin/sh\nexec {" ".join(CLIENT)} "$@"\n')
    (tmp_path / "boathook").chmod(0o755)
    done = subprocess.run(
        [program, "-c", TYPED[shell]],
        env={**user.environment, "PATH": f"{tmp_path}:{user.environment['PATH']}"},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    first, second = done.stdout.splitlines()
    assert first == "title"
    assert second.split() == ["compact", "full", "interactive"]
    assert user.daemons() == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_its_script(user, shell):
    assert f"boathook completion {shell}" in user.run("completion", shell).stdout
    assert user.daemons() == []

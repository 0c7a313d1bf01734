"""The command line: which switches are used when, and the notes for the caller."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boathook.engine.launch import arguments
from boathook.engine.launch.arguments import ALWAYS, DISABLED_FEATURES, launch_arguments
from boathook.engine.launch.find_chrome import FoundBrowser
from boathook.engine.launch.options import LaunchOptions, Proxy, with_environment_defaults
from boathook.engine.launch.sandbox import SandboxDecision, decide_sandbox, sandbox_obstacle
from boathook.errors import BadSetting, BadSwitch, LaunchFailed, SandboxUnavailable
from boathook.values import Viewport

if TYPE_CHECKING:
    from boathook.engine.launch.process import LaunchPlan

BROWSER = FoundBrowser(path=Path("/opt/browser/chrome"), kind="chrome", source="test")
SHELL = FoundBrowser(path=Path("/opt/browser/headless_shell"), kind="headless-shell", source="test")
PROFILE = Path("/run/profile")


def plan(
    options: LaunchOptions | None = None,
    *,
    browser: FoundBrowser = BROWSER,
    environ: dict[str, str] | None = None,
) -> LaunchPlan:
    return launch_arguments(
        options or LaunchOptions(), browser=browser, profile=PROFILE, environ=environ or {}
    )


@pytest.fixture
def sandboxed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "decide_sandbox", lambda *_, **__: SandboxDecision(on=True))


def test_every_switch_has_a_reason_and_none_is_given_twice(sandboxed: None) -> None:
    assert all(switch.reason for switch in ALWAYS)
    assert all(DISABLED_FEATURES.values())
    names = [switch.partition("=")[0] for switch in plan().argv]
    assert len(names) == len(set(names))


def test_default_launch_is_headless_over_the_pipe_on_its_own_profile(sandboxed: None) -> None:
    made = plan(LaunchOptions(viewport=Viewport(width=800, height=600)))
    assert made.argv[0] == "/opt/browser/chrome"
    for switch in (
        "--remote-debugging-pipe",
        "--headless=new",
        "--user-data-dir=/run/profile",
        "--window-size=800,600",
        "--screen-info={1920x1080}",
        "--disable-blink-features=AutomationControlled",
    ):
        assert switch in made.argv
    assert not [
        switch for switch in made.argv if "sandbox" in switch or "port" in switch.split("=")[0].split("-")
    ]
    assert made.sandboxed
    assert made.notes == ()


def test_stealth_full_adds_to_the_blink_settings_of_the_caller(sandboxed: None) -> None:
    made = plan(LaunchOptions(stealth="full", switches=("--blink-settings=imagesEnabled=false",))).argv
    given = [switch for switch in made if switch.startswith("--blink-settings=")]
    assert len(given) == 1
    assert "imagesEnabled=false,primaryPointerType=4" in given[0]
    assert "--disable-blink-features=AutomationControlled" in made
    assert "--hide-scrollbars" not in made
    assert "--hide-scrollbars" in plan().argv


def test_stealth_full_leaves_room_for_a_toolbar_on_the_screen(sandboxed: None) -> None:
    tall = Viewport(width=800, height=1080)
    assert "--screen-info={1920x1080}" in plan(LaunchOptions(viewport=tall)).argv
    made = plan(LaunchOptions(viewport=tall, stealth="full")).argv
    assert any(re.fullmatch(r"--screen-info=\{1920x11\d\d\}", switch) for switch in made)


def test_stealth_can_be_off(sandboxed: None) -> None:
    assert "--disable-blink-features=AutomationControlled" not in plan(LaunchOptions(stealth="off")).argv


def test_window_needs_a_display_and_a_browser_that_has_windows(sandboxed: None) -> None:
    headed = LaunchOptions(headless=False)
    with pytest.raises(LaunchFailed, match="no display"):
        plan(headed)
    assert "--headless=new" not in plan(headed, environ={"DISPLAY": ":1"}).argv
    with pytest.raises(BadSetting, match="cannot show a window"):
        plan(headed, browser=SHELL, environ={"DISPLAY": ":1"})


def test_small_shared_memory_is_noticed_and_said(sandboxed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boathook.engine.launch.posix.shared_memory_size", lambda: 64 << 20)
    made = plan()
    assert "--disable-dev-shm-usage" in made.argv
    assert "64 MiB" in made.notes[0]
    monkeypatch.setattr("boathook.engine.launch.posix.shared_memory_size", lambda: 1 << 30)
    assert "--disable-dev-shm-usage" not in plan().argv


def test_callers_switches_are_checked(sandboxed: None) -> None:
    assert plan(LaunchOptions(switches=("--lang=de",))).argv[-1] == "--lang=de"
    with pytest.raises(BadSwitch):
        plan(LaunchOptions(switches=("--renderer-cmd-prefix=/bin/sh",)))


def test_proxy_leaves_loopback_alone_unless_told(sandboxed: None) -> None:
    argv = plan(LaunchOptions(proxy=Proxy(server="127.0.0.1:8080", bypass=("*.test",)))).argv
    assert "--proxy-server=127.0.0.1:8080" in argv
    assert "--proxy-bypass-list=*.test" in argv
    assert "--webrtc-ip-handling-policy=disable_non_proxied_udp" in argv
    through = plan(LaunchOptions(proxy=Proxy(server="127.0.0.1:8080", bypass_loopback=False))).argv
    assert "--proxy-bypass-list=<-loopback>" in through
    assert not [switch for switch in plan().argv if "proxy" in switch]


@pytest.mark.parametrize("server", ["", "a b", "x;y", "user:pass@host:1", "h\n"])
def test_strange_proxy_is_refused(sandboxed: None, server: str) -> None:
    with pytest.raises(BadSetting):
        plan(LaunchOptions(proxy=Proxy(server=server)))


def test_environment_fills_what_the_caller_left_open() -> None:
    environ = {
        "PUPPETEER_PROXY": "http://proxy.test:3128",
        "PUPPETEER_PROXY_BYPASS_LOOPBACK": "false",
        "PUPPETEER_PROXY_IGNORE_CERT_ERRORS": "true",
    }
    filled = with_environment_defaults(LaunchOptions(), environ)
    assert filled.proxy == Proxy(server="http://proxy.test:3128", bypass_loopback=False)
    assert filled.ignore_certificate_errors
    mine = Proxy(server="127.0.0.1:1")
    assert with_environment_defaults(LaunchOptions(proxy=mine), environ).proxy is mine
    assert with_environment_defaults(LaunchOptions(), {}) == LaunchOptions()
    with pytest.raises(BadSetting, match="PUPPETEER_PROXY_BYPASS_LOOPBACK"):
        with_environment_defaults(LaunchOptions(), {**environ, "PUPPETEER_PROXY_BYPASS_LOOPBACK": "perhaps"})


def test_ignored_certificates_are_said(sandboxed: None) -> None:
    made = plan(LaunchOptions(ignore_certificate_errors=True))
    assert "--ignore-certificate-errors" in made.argv
    assert "certificate errors are ignored" in made.notes


def test_browser_gets_the_environment_without_our_own_tokens(sandboxed: None) -> None:
    made = plan(
        LaunchOptions(environment=(("TZ", "UTC"),)),
        environ={"A": "1", "BOATHOOK_TOKEN": "s", "PYTHONPATH": "x"},
    )
    environment = dict(made.environment)
    dumps = environment.pop("BREAKPAD_DUMP_LOCATION")
    assert Path(dumps).is_relative_to(PROFILE), "dumps of crashed pages go with the profile"
    assert environment == {"A": "1", "TZ": "UTC"}
    assert "environment" not in repr(made)


def test_sandbox_that_is_off_is_said_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        arguments, "decide_sandbox", lambda *_, **__: SandboxDecision(on=False, reason="because of a test")
    )
    made = plan()
    assert "--no-sandbox" in made.argv
    assert not made.sandboxed
    assert "sandbox off: because of a test" in made.notes


def test_sandbox_rules() -> None:
    assert decide_sandbox("auto", browser=BROWSER.path, obstacle="") == SandboxDecision(on=True)
    assert decide_sandbox("require", browser=BROWSER.path, obstacle="") == SandboxDecision(on=True)
    assert decide_sandbox("auto", browser=BROWSER.path, obstacle="x") == SandboxDecision(on=False, reason="x")
    assert not decide_sandbox("off", browser=BROWSER.path, obstacle="").on
    with pytest.raises(SandboxUnavailable, match="because"):
        decide_sandbox("require", browser=BROWSER.path, obstacle="because")


@pytest.mark.parametrize(
    ("facts", "works", "expected"),
    [
        ({}, True, ""),
        ({"kernel/unprivileged_userns_clone": "0"}, True, "unprivileged_userns_clone"),
        ({"kernel/unprivileged_userns_clone": "1"}, True, ""),
        ({"user/max_user_namespaces": "0"}, True, "max_user_namespaces"),
        ({"kernel/apparmor_restrict_unprivileged_userns": "1"}, True, "AppArmor"),
        ({"kernel/apparmor_restrict_unprivileged_userns": "0"}, True, ""),
        ({}, False, "denies user namespaces"),
    ],
)
def test_kernel_facts_decide_for_ordinary_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, facts: dict[str, str], works: bool, expected: str
) -> None:
    monkeypatch.setattr("boathook.engine.launch.posix.is_root", lambda: False)
    monkeypatch.setattr("boathook.engine.launch.sandbox._namespace_works", lambda: works)
    monkeypatch.setattr("boathook.engine.launch.sandbox._has_setuid_helper", lambda *_: False)
    for name, value in facts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(value + "\n")
    found = sandbox_obstacle(BROWSER.path, environ={}, kernel=tmp_path)
    assert expected in found
    assert bool(expected) == bool(found)


def test_root_never_has_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boathook.engine.launch.posix.is_root", lambda: True)
    assert "root" in sandbox_obstacle(BROWSER.path, environ={})

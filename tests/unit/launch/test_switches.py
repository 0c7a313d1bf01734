"""Switches from a caller: an allow-list that no spelling gets around."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathook.engine.launch.switches import ALLOWED, check_switches
from boathook.errors import BadSwitch

DANGEROUS = """
renderer-cmd-prefix utility-cmd-prefix ppapi-plugin-launcher browser-subprocess-path gpu-launcher gpu-startup-dialog
load-extension disable-extensions-except allowlisted-extension-id extensions-on-chrome-urls load-component-extension
remote-debugging-port remote-debugging-pipe remote-debugging-address remote-debugging-io-pipes remote-allow-origins
remote-debugging-socket-name user-data-dir profile-directory disk-cache-dir crash-dumps-dir homedir
no-sandbox disable-setuid-sandbox disable-gpu-sandbox disable-seccomp-filter-sandbox no-zygote no-zygote-sandbox
allow-no-sandbox-job disable-namespace-sandbox single-process disable-web-security disable-site-isolation-trials
disable-site-isolation-for-policy isolate-origins disable-features enable-features enable-blink-features
disable-blink-features allow-file-access allow-file-access-from-files allow-running-insecure-content
unsafely-treat-insecure-origin-as-secure ignore-certificate-errors ignore-certificate-errors-spki-list
allow-insecure-localhost proxy-server proxy-pac-url proxy-bypass-list proxy-auto-detect no-proxy-server
winhttp-proxy-resolver headless enable-automation log-file enable-logging v vmodule log-net-log net-log-capture-mode
trace-startup trace-startup-file print-to-pdf dump-dom screenshot repl app app-id install-chrome-app
register-pepper-plugins ppapi-flash-path force-fieldtrials variations-server-url component-updater
import import-from-file make-default-browser restore-last-session ssl-key-log-file custom-devtools-frontend
auth-server-allowlist auth-negotiate-delegate-allowlist host-window trusted-download-sources simulate-upgrade
enable-crash-reporter crashpad-handler-pid type use-system-clipboard nacl-gdb nacl-broker wm-window-animations
javascript-harness test-type enable-pixel-output-in-tests auto-open-devtools-for-tabs auto-select-desktop-capture-source
auto-accept-this-tab-capture silent-debugger-extension-api silent-launch webrtc-ip-handling-policy policy
device-management-url google-apis-url gaia-url sync-url change-stack-guard-on-fork temp-profile debug
enable-remote-extensions explicitly-allowed-ports in-process-gpu enable-experimental-web-platform-features
""".split()  # noqa: SIM905 (one word per line would be long)


@pytest.mark.parametrize("name", DANGEROUS)
def test_known_dangerous_switch_is_refused_in_every_spelling(name: str) -> None:
    assert name not in ALLOWED
    spellings = [
        f"--{name}",
        f"--{name}=/bin/sh",
        f"--{name.upper()}=x",
        f"--{name.title()}=x",
        f"-{name}",
        f"-{name}=x",
        f"---{name}=x",
        f"/{name}=x",
        name,
        f" --{name}",
        f"--{name} ",
        f"--{name}\t=x",
        f"--\u00a0{name}",
        f"\u2010\u2010{name}",
        f"--{name}\x00",
        f"--{name}\n",
        f"--lang\n--{name}",
        f"--lang=de\n--{name}=x",
        f"--lang=de\x00--{name}=x",
        f"--lang --{name}",
        f"--{name.replace('-', '_')}_",
    ]
    for spelling in spellings:
        with pytest.raises(BadSwitch):
            check_switches(["--lang=de", spelling])


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "--",
        "-",
        "---",
        "--=x",
        "https://example.org",
        "about:blank",
        "-g",
        "-h",
        "--lang\r",
        "--lang=\x1b[0m",
        "--" + "a" * 5000,
        "--lаng=de",
    ],
)
def test_things_that_are_no_switch_are_refused(odd: str) -> None:
    with pytest.raises(BadSwitch):
        check_switches([odd])


@pytest.mark.parametrize(
    "value", ["--allow-natives-syntax", "--expose-gc --jitless", "", "--max-old-space-size=1;x"]
)
def test_script_engine_flags_are_held_to_their_own_list(value: str) -> None:
    with pytest.raises(BadSwitch, match="js-flags"):
        check_switches([f"--js-flags={value}"])


def test_page_settings_cannot_lift_the_same_origin_policy() -> None:
    assert check_switches(["--blink-settings=imagesEnabled=false"])
    for value in ("webSecurityEnabled=false", "imagesEnabled=false,webSecurityEnabled=false"):
        with pytest.raises(BadSwitch):
            check_switches([f"--blink-settings={value}"])


def test_harmless_switches_pass_unchanged_and_in_order() -> None:
    given_ = [
        "--window-size=800,600",
        "--lang=de",
        "--mute-audio",
        "--js-flags=--max-old-space-size=512 --expose-gc",
        "--host-resolver-rules=MAP * 127.0.0.1",
    ]
    assert check_switches(given_) == given_


def test_every_allowed_name_has_a_reason_and_passes() -> None:
    restricted = {"js-flags", "blink-settings"}
    for name, reason in ALLOWED.items():
        assert reason
        if name not in restricted:
            assert check_switches([f"--{name}"]) == [f"--{name}"]


def test_refusal_says_why_and_names_what_is_near() -> None:
    with pytest.raises(BadSwitch, match="executed") as refused:
        check_switches(["--renderer-cmd-prefix=/bin/sh"])
    assert "renderer-process-limit" in str(refused.value) or refused.value.hint
    with pytest.raises(BadSwitch) as refused:
        check_switches(["--windw-size=1,1"])
    assert "--window-size" in str(refused.value)


@given(st.text(max_size=60))
def test_whatever_passes_is_one_allowed_switch(text: str) -> None:
    try:
        [passed] = check_switches([text])
    except BadSwitch:
        return
    name = passed.removeprefix("--").partition("=")[0]
    assert passed == text
    assert name in ALLOWED

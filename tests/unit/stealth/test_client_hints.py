"""Client hints as browsers in a window have sent them, version by version."""

from __future__ import annotations

import platform
import sys

import pytest

from boathook.engine.emulation.fingerprint.client_hints import client_hints
from boathook.engine.emulation.fingerprint.fingerprint_profile import DesktopHardware, FingerprintProfile

SENT = {
    "120.0.6099.109": ["Not_A Brand 8", "Chromium 120", "Google Chrome 120"],
    "124.0.6367.60": ["Chromium 124", "Google Chrome 124", "Not-A.Brand 99"],
    "131.0.6778.85": ["Google Chrome 131", "Chromium 131", "Not_A Brand 24"],
}


@pytest.fixture(autouse=True)
def known_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")


@pytest.mark.parametrize("version", SENT)
def test_brands_are_named_and_ordered_as_by_the_browser_itself(version: str) -> None:
    hints = client_hints(version, own_brand="Google Chrome")
    assert hints is not None
    assert [f"{brand['brand']} {brand['version']}" for brand in hints.as_wire()["brands"]] == SENT[version]
    assert hints.as_wire()["fullVersion"] == version


def test_nothing_is_guessed_about_an_unknown_machine_or_version(monkeypatch: pytest.MonkeyPatch) -> None:
    assert client_hints("156.0.1.2") is not None
    assert client_hints("") is None
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert client_hints("156.0.1.2") is None


def test_an_empty_guise_says_nothing_and_a_name_alone_needs_no_script() -> None:
    assert not FingerprintProfile().anything
    named = FingerprintProfile(agent="Mine", hints=client_hints("156.0.1.2"))
    assert named.anything
    assert not named.whole
    assert named.script() == ""
    assert [method for method, _ in named.overrides()] == ["Emulation.setUserAgentOverride"]


def test_the_script_of_a_whole_guise_is_one_expression_with_its_facts() -> None:
    desk = DesktopHardware(cores=8, toolbar=87, vendor='A "quoted" vendor', renderer="One")
    script = FingerprintProfile(desk=desk, toolbar=87, cores=8).script()
    assert script.startswith("((facts) => {")
    assert '"A \\"quoted\\" vendor"' in script
    assert "//" not in script

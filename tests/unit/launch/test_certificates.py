"""Bundles of certificate authorities: what is refused before any browser starts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from boathook.engine.launch.profiles.certificates import trust_authorities
from boathook.engine.launch.profiles.nss_store import certificates_in
from boathook.errors import BadSetting, Unsupported

if TYPE_CHECKING:
    from pathlib import Path

BEGIN, END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="authorities are supported on Linux only")


def test_certificates_are_read_between_other_text() -> None:
    text = f"# first\n{BEGIN}\nAAEC\n{END}\n# second\n{BEGIN}\nAwQF\n{END}\n"
    assert certificates_in(text) == [b"\x00\x01\x02", b"\x03\x04\x05"]


@pytest.mark.parametrize("text", ["", "hello", f"{BEGIN}\nAAEC\n", f"{BEGIN}\nA\n{END}", f"{BEGIN}\n{END}"])
def test_unreadable_bundle_gives_nothing_at_all(text: str) -> None:
    assert certificates_in(text) == []


@on_linux
def test_missing_or_empty_bundle_is_a_bad_setting(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="does not exist"):
        trust_authorities(tmp_path / "missing.pem", home=tmp_path / "home")
    (tmp_path / "empty.pem").write_text("nothing here")
    with pytest.raises(BadSetting, match="no readable certificate"):
        trust_authorities(tmp_path / "empty.pem", home=tmp_path / "home")


@on_linux
def test_bundle_of_nonsense_is_refused_by_the_store(tmp_path: Path) -> None:
    (tmp_path / "nonsense.pem").write_text(f"{BEGIN}\nAAEC\n{END}\n")
    with pytest.raises(Unsupported, match=r"could not be written: (?:not a certificate|libnss3)"):
        trust_authorities(tmp_path / "nonsense.pem", home=tmp_path / "home")

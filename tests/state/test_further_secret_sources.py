"""Secrets from the system's keyring and from programs, as the user's own file names them."""

import sys
import types

import pytest

from boathook.errors import BadRequest, BadSetting
from boathook.service.secrets import secret_sources
from boathook.service.secrets.secret_sources import SecretSources


@pytest.fixture
def sources(tmp_path):
    folder = tmp_path / "config/boathook"
    folder.mkdir(parents=True, mode=0o700)

    def of(text):
        (folder / "boathook.toml").write_text(f"[secrets]\n{text}\n")
        return SecretSources({"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")})

    return of


def program(*lines):
    return repr([sys.executable, "-c", "; ".join(lines)]).replace("'", '"')


def test_a_program_prints_the_secret(sources):
    found = sources(f"a = {{ command = {program('print(40 + 2)')}, origins = ['https://x.example'] }}").find(
        "secret", "a"
    )
    assert found.value == "42"
    assert found.fits("https://x.example")
    assert not found.fits("https://y.example")


@pytest.mark.parametrize(
    "lines",
    [
        ("import sys", "print(40 + 2)", "sys.exit(3)"),
        ("pass",),
        ("print(chr(120) * 100000)",),
        ("import sys", "sys.stdout.buffer.write(bytes([255, 254]))"),
    ],
    ids=["it fails", "it says nothing", "it says too much", "it is no text"],
)
def test_a_program_that_gives_none_is_a_clear_error_without_what_it_said(sources, lines):
    with pytest.raises(BadRequest, match="the program for secret 'a'") as told:
        sources(f"a = {{ command = {program(*lines)} }}").find("secret", "a")
    assert "42" not in str(told.value)


def test_a_program_that_is_not_there_or_takes_too_long_is_told(sources, monkeypatch):
    with pytest.raises(BadRequest, match="cannot be run"):
        sources('a = { command = ["/nowhere/at/all"] }').find("secret", "a")
    monkeypatch.setattr(secret_sources, "COMMAND_SECONDS", 0.05)
    endless = program("import signal", "signal.pause()")
    with pytest.raises(BadRequest, match="took longer than"):
        sources(f"a = {{ command = {endless} }}").find("secret", "a")


def test_the_keyring_is_asked_by_service_and_account(sources, monkeypatch):
    class KeyringError(Exception):
        pass

    asked = []

    def get_password(service, account):
        asked.append((service, account))
        if account == "locked":
            raise KeyringError
        return {"ada": "from the keyring"}.get(account)

    stand_in = types.SimpleNamespace(
        get_password=get_password, errors=types.SimpleNamespace(KeyringError=KeyringError)
    )
    monkeypatch.setitem(sys.modules, "keyring", stand_in)
    assert sources('a = { keyring = "desk/prod/ada" }').find("secret", "a").value == "from the keyring"
    assert asked == [("desk/prod", "ada")]
    with pytest.raises(BadRequest, match="has nothing under"):
        sources('a = { keyring = "desk/bob" }').find("secret", "a")
    with pytest.raises(BadRequest, match="does not respond"):
        sources('a = { keyring = "desk/locked" }').find("secret", "a")
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(BadRequest, match="not installed"):
        sources('a = { keyring = "desk/ada" }').find("secret", "a")


@pytest.mark.parametrize(
    "entry",
    [
        '{ command = "a shell line" }',
        "{ command = [] }",
        '{ keyring = "no-account" }',
        '{ env = "A", command = ["x"] }',
    ],
)
def test_a_source_that_is_not_described_well_is_refused(sources, entry):
    with pytest.raises(BadSetting, match="invalid definition of secret"):
        sources(f"a = {entry}").find("secret", "a")

"""Sealed files: keys, wrong keys, damage, a new key for all, and being killed at any moment; no browser is needed."""

import base64
import json
import random
import stat
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, Literal

import pytest

from boathook.engine.state import state_store
from boathook.engine.state.state_file import read_state, write_state
from boathook.engine.vault import encryption_keys, logins, rotation
from boathook.engine.vault.logins import Login
from boathook.engine.vault.sealing import key_of
from boathook.engine.vault.totp import code_at
from boathook.errors import BadRequest, BadSetting, DamagedFile, WrongKey
from boathook.private_files import replace_file

STATE = {"cookies": [{"name": "sid", "value": "hunter-22-flies", "domain": "example.org"}], "origins": []}
OTHER = {"cookies": [], "origins": [{"origin": "https://example.org", "localStorage": []}]}
KEY = "ab" * 32


def test_a_sealed_state_opens_and_tells_nothing_by_itself(vault):
    path = state_store.place_of("work")
    write_state(path, STATE, sealed=True)
    assert read_state(path) == STATE
    whole = path.read_bytes()
    assert b"hunter" not in whole
    assert b"example.org" not in whole
    assert json.loads(whole)["kind"] == "state"
    assert [state.sealed for state in state_store.list_states()] == [True]
    key_file = vault / "vault/keys.json"
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(key_file.parent.stat().st_mode) == 0o700


def test_what_is_sealed_differs_each_time(vault):
    path = state_store.place_of("work")
    seen = set()
    for _ in range(3):
        write_state(path, STATE, sealed=True)
        seen.add(path.read_bytes())
    assert len(seen) == 3


def test_a_key_of_the_users_seals_and_another_one_does_not_open(vault, monkeypatch):
    path = state_store.place_of("work")
    monkeypatch.setenv(encryption_keys.VARIABLE, KEY)
    write_state(path, STATE, sealed=True)
    assert not (vault / "vault/keys.json").exists()
    assert read_state(path) == STATE, "the control"
    before = path.read_bytes()
    monkeypatch.setenv(encryption_keys.VARIABLE, "cd" * 32)
    for use in (lambda: read_state(path), lambda: write_state(path, OTHER, sealed=True)):
        with pytest.raises(WrongKey, match="which is not available"):
            use()
    assert path.read_bytes() == before
    monkeypatch.setenv(encryption_keys.VARIABLE, "not a key")
    with pytest.raises(BadSetting, match="64 hexadecimal digits") as told:
        read_state(path)
    assert "not a key" not in str(told.value)


@pytest.mark.parametrize("sealed", [True, False])
def test_a_file_that_was_cut_off_anywhere_is_a_clear_error_and_stays(vault, tmp_path, sealed):
    path = tmp_path / "state.json"
    write_state(path, STATE, sealed=sealed)
    whole = path.read_bytes()
    for size in random.Random(7).sample(range(1, len(whole) - 1), 20):
        path.write_bytes(whole[:size])
        for use in (lambda: read_state(path), lambda: write_state(path, OTHER, sealed=sealed)):
            with pytest.raises(DamagedFile):
                use()
        assert path.read_bytes() == whole[:size]


def test_a_changed_byte_anywhere_in_what_is_sealed_is_noticed(vault, tmp_path):
    path = tmp_path / "state.json"
    write_state(path, STATE, sealed=True)
    whole = path.read_bytes()
    for at in random.Random(8).sample(range(len(whole)), 40):
        changed = bytearray(whole)
        changed[at] ^= 1
        path.write_bytes(changed)
        with pytest.raises((DamagedFile, WrongKey)):
            read_state(path)


@pytest.mark.parametrize(
    "text", ["a diary", "[1, 2]", "{}", '{"cookies": 7}', '{"some": "settings"}', "\x00\x01\x02"]
)
def test_a_foreign_file_is_not_written_over(vault, tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text)
    for use in (lambda: read_state(path), lambda: write_state(path, STATE, sealed=False)):
        with pytest.raises(DamagedFile, match="not a state file"):
            use()
    assert path.read_text() == text
    path.write_text("")
    write_state(path, STATE, sealed=False)
    assert read_state(path) == STATE, "an empty file holds nothing that could be lost"


def test_a_new_key_seals_everything_again_and_old_keys_go_when_asked(vault, tmp_path):
    write_state(state_store.place_of("one"), STATE, sealed=True)
    write_state(state_store.place_of("plain"), OTHER, sealed=False)
    elsewhere = tmp_path / "elsewhere.json"
    write_state(elsewhere, STATE, sealed=True)
    logins.keep(Login(name="desk", url="https://example.org/", username="ada", password="pass-word"))
    files: list[tuple[Path, Literal["state", "login"]]] = [
        (path, "state") for path in state_store.list_state_paths()
    ] + [(path, "login") for path in logins.paths()]
    first = encryption_keys.sealing_key()

    done = rotation.rotate(files, forget=False)
    assert (done.sealed, done.failed, done.forgotten) == (("one", "desk"), (), 0)
    assert encryption_keys.sealing_key().id == done.key != first.id
    assert read_state(state_store.place_of("one")) == STATE
    assert read_state(elsewhere) == STATE, "the old key opens what lies elsewhere"
    assert logins.find("desk").password == "pass-word"

    done = rotation.rotate(files, forget=True)
    assert done.forgotten == 2
    assert read_state(state_store.place_of("one")) == STATE
    with pytest.raises(WrongKey):
        read_state(elsewhere)


def test_a_rotation_that_is_killed_halfway_loses_nothing(vault, monkeypatch):
    names = [f"s{number}" for number in range(5)]
    for name in names:
        write_state(state_store.place_of(name), STATE, sealed=True)
    files: list[tuple[Path, Literal["state", "login"]]] = [
        (path, "state") for path in state_store.list_state_paths()
    ]
    real, left = replace_file, iter(range(3))

    def killed(path, data):
        if next(left, None) is None:
            raise KeyboardInterrupt
        real(path, data)

    monkeypatch.setattr(rotation, "replace_file", killed)
    with pytest.raises(KeyboardInterrupt):
        rotation.rotate(files, forget=True)
    assert {key_of(path.read_bytes()) for path, _kind in files} == {
        key.id for key in encryption_keys._read_keys()
    }, "some have the old key, some the new one"
    assert [read_state(state_store.place_of(name)) for name in names] == [STATE] * 5
    monkeypatch.undo()


def test_keys_that_cannot_be_read_are_never_replaced(vault):
    write_state(state_store.place_of("one"), STATE, sealed=True)
    file = vault / "vault/keys.json"
    file.write_text("{}")
    with pytest.raises(DamagedFile, match="they are not overwritten"):
        write_state(state_store.place_of("two"), STATE, sealed=True)
    assert file.read_text() == "{}"


def test_the_systems_keyring_holds_the_keys_where_there_is_one(vault, monkeypatch):
    held: dict[Any, Any] = {}

    class Locked(Exception):
        pass

    class Keyring:
        priority = 5
        errors = types.SimpleNamespace(KeyringError=Locked)

        @classmethod
        def get_keyring(cls):
            return cls

        @staticmethod
        def get_password(service, account):
            if "locked" in held:
                raise Locked
            return held.get((service, account))

        @staticmethod
        def set_password(service, account, text):
            held[service, account] = text

    monkeypatch.setattr(encryption_keys, "_keyring", lambda: Keyring)
    path = state_store.place_of("one")
    write_state(path, STATE, sealed=True)
    assert not (vault / "vault/keys.json").exists()
    assert len(held) == 1
    assert read_state(path) == STATE
    rotation.rotate([(path, "state")], forget=True)
    assert read_state(path) == STATE
    held["locked"] = True
    with pytest.raises(BadRequest, match="the system's keyring does not respond"):
        write_state(path, OTHER, sealed=True)
    assert not (vault / "vault/keys.json").exists(), "no other key is made meanwhile"


def test_killing_whoever_saves_at_any_moment_leaves_the_old_state_or_the_new_one():
    """A sample; `make stress` has 500 rounds. In a separate process, since it forks."""
    tool = Path(__file__).parents[2] / "tools/stress_state.py"
    done = subprocess.run(
        [sys.executable, tool, "--rounds", "12", "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "12 savers killed" in done.stdout
    assert " 0 corrupt" in done.stdout


def test_codes_are_those_of_the_standard():
    """Appendix B of RFC 6238, whose seeds are 12345678901234567890 and so on in ASCII."""
    seeds = {"SHA1": 20, "SHA256": 32, "SHA512": 64}
    for at, codes in {
        59: ("94287082", "46119246", "90693936"),
        1111111109: ("07081804", "68084774", "25091201"),
        20000000000: ("65353130", "77737706", "47863826"),
    }.items():
        for (algorithm, size), code in zip(seeds.items(), codes, strict=True):
            seed = base64.b32encode((b"1234567890" * 7)[:size]).decode()
            uri = f"otpauth://totp/x?secret={seed.rstrip('=')}&digits=8&algorithm={algorithm}"
            assert code_at(uri, at) == code
    assert code_at("gezd gnbv gy3t qojq gezd gnbv gy3t qojq", 59) == "287082"


@pytest.mark.parametrize(
    "facts",
    [
        {"url": "ftp://example.org/"},
        {"url": "https://ada:pw@example.org/"},
        {"url": "not an address"},
        {"password": ""},
        {"password": "two\nlines"},
        {"totp": "not base 32!"},
        {"name": "../up"},
    ],
)
def test_a_login_that_cannot_be_is_refused_without_repeating_its_secrets(vault, facts):
    usual = {"name": "desk", "url": "https://example.org/", "username": "ada", "password": "pass-word-9"}
    with pytest.raises(BadRequest) as told:
        logins.keep(Login(**(usual | facts)))
    assert "pass-word-9" not in str(told.value)
    assert "two" not in str(told.value)
    assert logins.paths() == []

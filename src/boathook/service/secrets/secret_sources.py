"""Sources of secrets: the environment, files, the system's keyring and programs, as the user's configuration says."""

from __future__ import annotations

import importlib
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.host_names import DEFAULT_PORTS, host_and_port
from boathook.engine.hosts.host_policy import HostPattern, host_pattern
from boathook.errors import BadRequest, BadSetting, BadUrl, PolicyBlocked
from boathook.private_files import open_regular
from boathook.runtime_folder import why_not_private
from boathook.service.input.configuration import user_file, user_folder
from boathook.service.input.configuration_file import read_file
from boathook.service.surface import Surface

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST = 64 * 1024
VARIABLE = "BOATHOOK_SECRET_"
_KINDS = ("env", "file", "keyring", "command")
"""An entry has one of these, or none: then a file with the secret's name is used."""
_FIELDS = {*_KINDS, "origins"}
COMMAND_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class OriginPattern:
    """`https://example.org`, `https://*.example.org`; a bare host means https."""

    scheme: str
    host: HostPattern

    @classmethod
    def parse(cls, text: str) -> OriginPattern:
        """Parse one; BadSetting if it is invalid."""
        scheme, mark, rest = text.strip().partition("://")
        host = (rest if mark else scheme).removesuffix("/")
        if mark and scheme not in {"http", "https"}:
            raise BadSetting(f"invalid origin: {text!r}", hint="use origins such as https://example.org")
        return cls(scheme if mark else "https", host_pattern(host))

    def matches(self, origin: str) -> bool:
        """Whether an origin matches; without a port the default one is used."""
        scheme = origin.partition("://")[0]
        try:
            place = host_and_port(origin)
        except BadUrl:
            return False
        if place is None or scheme != self.scheme:
            return False
        everywhere = self.host.below and not self.host.host
        usual = everywhere or self.host.port is not None or place[1] == DEFAULT_PORTS[scheme]
        return usual and self.host.matches(*place)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSecret:
    """A value with its reference, and the origins that may receive it."""

    name: str
    value: str = field(repr=False)
    origins: tuple[OriginPattern, ...] | None = None
    """None is any page."""

    def fits(self, origin: str) -> bool:
        """Whether a page of this origin may receive it."""
        return self.origins is None or any(pattern.matches(origin) for pattern in self.origins)


class SecretSources:
    """Finds the secrets of one call."""

    def __init__(self, environment: Mapping[str, str], *, surface: Surface = Surface.COMMAND_LINE) -> None:
        self._environment = environment
        self._surface = surface
        self._described: dict[str, Any] | None = None

    def find(self, kind: str, name: str) -> NamedSecret:
        """The secret behind `env:NAME` or `secret:NAME`; BadRequest when there is none."""
        found = self._variable(name) if kind == "env" else self._find_named(name)
        if found.origins is None and self._surface.is_model:
            # A page can trick a model into typing anything anywhere, so the user must configure the origins.
            raise PolicyBlocked(
                f"{found.name} has no origins, which secrets require over MCP",
                hint='the user can add them to [secrets] of boathook.toml: origins = ["https://example.org"]',
            )
        return found

    def is_program(self, name: str) -> bool:
        """Whether a program has to be run for this secret."""
        return "command" in self._entries().get(name, {})

    def _variable(self, name: str) -> NamedSecret:
        entry = next((entry for entry in self._entries().values() if entry.get("env") == name), None)
        if entry is None and self._surface.is_model:
            raise PolicyBlocked(
                f"env:{name} may not be used over MCP",
                hint="the user can add it to [secrets] of boathook.toml",
            )
        value = self._environment.get(name)
        if not value:
            raise BadRequest(
                f"the variable {name} is not set", hint="set it in the environment of the caller"
            )
        return NamedSecret(name=f"env:{name}", value=value, origins=_origins(entry or {}))

    def _find_named(self, name: str) -> NamedSecret:
        entry = self._entries().get(name, {})
        value = self._value(name, entry)
        if not value:
            raise BadRequest(
                f"secret {name!r} not found",
                hint=f"put it into {user_folder(self._environment) / 'secrets' / name}, or add its source to [secrets] of boathook.toml",
            )
        return NamedSecret(name=f"secret:{name}", value=value, origins=_origins(entry))

    def _value(self, name: str, entry: Mapping[str, Any]) -> str:
        if "env" in entry:
            value = self._environment.get(entry["env"], "")
            if not value:
                raise BadRequest(
                    f"the variable {entry['env']} of secret {name!r} is not available here",
                    hint=f"say env:{entry['env']} instead, or store the secret in a file",
                )
            return value
        if "file" in entry:
            path = user_folder(self._environment) / Path(entry["file"]).expanduser()
            return _content(path)
        if "keyring" in entry:
            return _from_keyring(name, entry["keyring"])
        if "command" in entry:
            return _run_program(name, entry["command"], self._environment)
        path = user_folder(self._environment) / "secrets" / name
        if path.exists():
            return _content(path)
        return self._environment.get(VARIABLE + name.upper().replace("-", "_").replace(".", "_"), "")

    def _entries(self) -> dict[str, Any]:
        if self._described is None:
            path = user_file(self._environment)
            self._described = read_file(path).secrets
            for name, entry in self._described.items():
                _check_entry(path, name, entry)
        return self._described


def _check_entry(path: Path, name: str, entry: Any) -> None:
    if not isinstance(entry, dict) or not set(entry) <= _FIELDS or not _is_well_formed(entry):
        raise BadSetting(
            f"{path}: invalid definition of secret {name}",
            hint='use a definition such as github = { env = "GITHUB_TOKEN", origins = ["https://github.com"] }; or with file, '
            'keyring = "service/account", or command = ["pass", "show", "github"]',
        )
    origins = entry.get("origins", [])
    if not isinstance(origins, list) or not all(isinstance(origin, str) for origin in origins):
        raise BadSetting(f"{path}: the origins of secret {name} must be a list of strings")


def _is_well_formed(entry: Mapping[str, Any]) -> bool:
    """At most one source, of the right type."""
    given = [kind for kind in _KINDS if kind in entry]
    command = entry.get("command", ["x"])
    words = isinstance(command, list) and bool(command) and all(isinstance(word, str) for word in command)
    texts = all(isinstance(entry.get(kind, ""), str) for kind in _KINDS if kind != "command")
    return len(given) <= 1 and words and texts and ("keyring" not in entry or "/" in entry["keyring"])


def _from_keyring(name: str, place: str) -> str:
    """A secret of the system's keyring, by `service/account`."""
    service, _, account = place.rpartition("/")
    try:
        keyring = importlib.import_module("keyring")
    except ImportError as error:
        raise BadRequest(
            f"secret {name!r} is in the system's keyring, and the package for it is not installed",
            hint="pip install 'boathook[vault]'",
        ) from error
    try:
        value = keyring.get_password(service, account)
    except keyring.errors.KeyringError as error:
        raise BadRequest(f"the system's keyring does not respond for secret {name!r}") from error
    if not value:
        raise BadRequest(f"the system's keyring has nothing under {place!r} for secret {name!r}")
    return str(value)


def _run_program(name: str, command: list[str], environment: Mapping[str, str]) -> str:
    """The output of the user's program; its standard error is not repeated."""
    try:
        done = subprocess.run(  # noqa: S603 - the user's own file names the program, and no shell is between
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=environment.get("HOME", "/"),
            timeout=COMMAND_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise BadRequest(f"the program for secret {name!r} took longer than {COMMAND_SECONDS:g} s") from error
    except (OSError, ValueError) as error:
        raise BadRequest(f"the program for secret {name!r} cannot be run: {command[0][:100]!r}") from error
    if done.returncode or not done.stdout or len(done.stdout) > LARGEST:
        raise BadRequest(
            f"the program for secret {name!r} printed no secret (exit status {done.returncode})",
            hint="run it manually: it must print the secret and nothing else",
        )
    try:
        return done.stdout.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise BadRequest(f"what the program for secret {name!r} prints is not text") from error


def _origins(entry: Mapping[str, Any]) -> tuple[OriginPattern, ...] | None:
    given = entry.get("origins")
    return None if given is None else tuple(OriginPattern.parse(origin) for origin in given)


def _content(path: Path) -> str:
    """A secret from a file in a folder that only its owner can access."""
    why_not = why_not_private(str(path.parent)) if path.parent.exists() else "does not exist"
    if why_not is not None:
        raise BadRequest(f"{path.parent} cannot be used for secrets: it {why_not}")
    try:
        with open_regular(path) as file:
            data = file.read(LARGEST + 1)
        text = data.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"{path} cannot be read as a secret", hint="it must be a text file") from error
    if len(data) > LARGEST:
        raise BadRequest(f"{path} is too large for a secret")
    return text.removesuffix("\n").removesuffix("\r")

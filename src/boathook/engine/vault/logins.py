"""Logins that are kept: a sealed file each, with what is needed to sign in at one origin."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from boathook.engine.vault.durable import write_whole
from boathook.engine.vault.encryption_keys import held, vault_folder
from boathook.engine.vault.sealing import is_sealed, seal, unseal
from boathook.engine.vault.totp import check_seed
from boathook.errors import BadRequest, DamagedFile
from boathook.runtime_folder import why_not_private

SUFFIX = ".json"
LONGEST = 4_096
LARGEST_FILE = 256 * 1024
SHOWN_NAMES = 8
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._@-]{0,63}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PORTS = {"http": 80, "https": 443}


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """A login with its secrets; it is never shown as it is."""

    name: str
    url: str
    username: str
    password: str
    totp: str = ""
    """A base32 seed or an otpauth: address."""
    username_selector: str = ""
    password_selector: str = ""
    submit_selector: str = ""
    created: str = ""
    updated: str = ""

    @property
    def origin(self) -> str:
        """The one origin whose pages may have it."""
        return origin_of(self.url)

    def __repr__(self) -> str:
        return f"Login({self.name!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLogin:
    """A login as it may be shown."""

    name: str
    url: str
    username: str
    has_code: bool
    """Whether it can give one-time codes."""
    selectors: dict[str, str] = field(default_factory=dict)
    created: str = ""
    updated: str = ""
    problem: str = ""
    """Why it cannot be opened; then nothing else is known of it."""


def origin_of(url: str) -> str:
    """Scheme, host and port as browsers write an origin; BadRequest for what has none."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except (ValueError, UnicodeError):
        host, port, parts = "", None, urlsplit("")
    if parts.scheme not in _PORTS or not host:
        raise BadRequest(
            f"{url[:200]!r} is no address to sign in at",
            hint="give a whole one such as https://example.org/login",
        )
    shown = f"[{host}]" if ":" in host else host
    usual = port is None or port == _PORTS[parts.scheme]
    return f"{parts.scheme}://{shown}" if usual else f"{parts.scheme}://{shown}:{port}"


def keep(login: Login) -> KeptLogin:
    """Put a login into the vault; one of the same name is replaced, if it can be opened."""
    _check(login)
    path = _path(login.name)
    now = datetime.now(tz=UTC).isoformat(timespec="seconds")
    created = _read(path).created if path.exists() else now
    whole = msgspec.structs.replace(login, created=created, updated=now)
    with held():
        write_whole(path, seal(msgspec.json.encode(whole), kind="login"))
    return shown(whole)


def find(name: str) -> Login:
    """A login with its secrets."""
    return _read(_existing(name))


def shown(login: Login) -> KeptLogin:
    """The same without its secrets."""
    fields = ("username_selector", "password_selector", "submit_selector")
    return KeptLogin(
        name=login.name,
        url=login.url,
        username=login.username,
        has_code=bool(login.totp),
        selectors={
            name.removesuffix("_selector"): value for name in fields if (value := getattr(login, name))
        },
        created=login.created,
        updated=login.updated,
    )


def remove(name: str) -> None:
    """Take a login out of the vault; also one that cannot be opened."""
    _existing(name).unlink()


def paths() -> list[Path]:
    """The files of all logins, by name."""
    return sorted(path for path in _folder().glob(f"*{SUFFIX}") if path.is_file() and not path.is_symlink())


def _check(login: Login) -> None:
    origin_of(login.url)
    parts = urlsplit(login.url)
    if parts.username or parts.password:
        raise BadRequest("the address holds a user name or a password", hint="give those by themselves")
    for name in ("username", "password"):
        value = getattr(login, name)
        if not value or len(value) > LONGEST or _CONTROL.search(value):
            raise BadRequest(f"the {name} is one line of 1 to {LONGEST} characters")
    if login.totp:
        check_seed(login.totp)


def _read(path: Path) -> Login:
    try:
        whole = path.read_bytes()[: LARGEST_FILE + 1]
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}") from error
    if not is_sealed(whole):
        raise DamagedFile(f"{path} is no sealed login", path=str(path))
    try:
        return msgspec.json.decode(unseal(whole, kind="login", path=path), type=Login)
    except msgspec.DecodeError as error:
        raise DamagedFile(f"{path} does not hold a login", path=str(path)) from error


def _folder() -> Path:
    path = str(vault_folder() / "logins")
    why_not = why_not_private(path)
    if why_not is not None:
        raise BadRequest(f"{path} cannot be used: it {why_not}", path=path)
    return Path(path)


def _path(name: str) -> Path:
    if _NAME.fullmatch(name) is None:
        raise BadRequest(
            f"{name[:80]!r} is no name for a login", hint="letters, digits, dots, hyphens, underscores and @"
        )
    return _folder() / f"{name}{SUFFIX}"


def _existing(name: str) -> Path:
    path = _path(name)
    if path.is_symlink() or not path.is_file():
        known = [one.stem for one in paths()]
        listed = ", ".join(known[:SHOWN_NAMES]) + (" …" if len(known) > SHOWN_NAMES else "")
        raise BadRequest(
            f"there is no login {name!r}; kept: {listed or 'none'}", hint="`auth save NAME` keeps one"
        )
    return path

"""Saved logins: an encrypted file each, with what is needed to sign in at one origin."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from boathook.engine.vault.encryption_keys import lock_keys, vault_folder
from boathook.engine.vault.sealing import is_sealed, seal, unseal
from boathook.engine.vault.totp import check_seed
from boathook.errors import BadRequest, DamagedFile
from boathook.private_files import replace_file
from boathook.runtime_folder import why_not_private

SUFFIX = ".json"
LONGEST = 4_096
LARGEST_FILE = 256 * 1024
SHOWN_NAMES = 8
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._@-]{0,63}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PORTS = {"http": 80, "https": 443}


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """A login with its secrets; it is never printed as it is."""

    name: str
    url: str
    username: str
    password: str
    totp: str = ""
    """A base32 seed or an otpauth: URL."""
    username_selector: str = ""
    password_selector: str = ""
    submit_selector: str = ""
    created: str = ""
    updated: str = ""

    @property
    def origin(self) -> str:
        """The one origin whose pages may receive it."""
        return origin_of(self.url)

    def __repr__(self) -> str:
        return f"Login({self.name!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLogin:
    """A login without its secrets."""

    name: str
    url: str
    username: str
    has_code: bool
    """Whether it can generate one-time codes."""
    selectors: dict[str, str] = field(default_factory=dict)
    created: str = ""
    updated: str = ""
    problem: str = ""
    """Why it cannot be decrypted; then nothing else is known about it."""


def origin_of(url: str) -> str:
    """Scheme, host and port in the notation of origins; BadRequest if there is no origin."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except (ValueError, UnicodeError):
        host, port, parts = "", None, urlsplit("")
    if parts.scheme not in _PORTS or not host:
        raise BadRequest(
            f"invalid login URL: {url[:200]!r}",
            hint="use a full URL such as https://example.org/login",
        )
    shown = f"[{host}]" if ":" in host else host
    usual = port is None or port == _PORTS[parts.scheme]
    return f"{parts.scheme}://{shown}" if usual else f"{parts.scheme}://{shown}:{port}"


def keep(login: Login) -> KeptLogin:
    """Save a login; one of the same name is replaced, if it can be decrypted."""
    _check(login)
    path = _path(login.name)
    now = datetime.now(tz=UTC).isoformat(timespec="seconds")
    created = _read(path).created if path.exists() else now
    whole = msgspec.structs.replace(login, created=created, updated=now)
    with lock_keys():
        replace_file(path, seal(msgspec.json.encode(whole), kind="login"))
    return public_view(whole)


def find(name: str) -> Login:
    """A login with its secrets."""
    return _read(_existing(name))


def public_view(login: Login) -> KeptLogin:
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
    """Remove a login, also one that cannot be decrypted."""
    _existing(name).unlink()


def paths() -> list[Path]:
    """The files of all logins, by name."""
    return sorted(path for path in _folder().glob(f"*{SUFFIX}") if path.is_file() and not path.is_symlink())


def _check(login: Login) -> None:
    origin_of(login.url)
    parts = urlsplit(login.url)
    if parts.username or parts.password:
        raise BadRequest("the URL contains a user name or a password", hint="pass those separately")
    for name in ("username", "password"):
        value = getattr(login, name)
        if not value or len(value) > LONGEST or _CONTROL.search(value):
            raise BadRequest(f"the {name} must be one line of 1 to {LONGEST} characters")
    if login.totp:
        check_seed(login.totp)


def _read(path: Path) -> Login:
    try:
        whole = path.read_bytes()[: LARGEST_FILE + 1]
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}") from error
    if not is_sealed(whole):
        raise DamagedFile(f"not an encrypted login: {path}", path=str(path))
    try:
        return msgspec.json.decode(unseal(whole, kind="login", path=path), type=Login)
    except msgspec.DecodeError as error:
        raise DamagedFile(f"{path} does not contain a login", path=str(path)) from error


def _folder() -> Path:
    path = str(vault_folder() / "logins")
    why_not = why_not_private(path)
    if why_not is not None:
        raise BadRequest(f"{path} cannot be used: it {why_not}", path=path)
    return Path(path)


def _path(name: str) -> Path:
    if _NAME.fullmatch(name) is None:
        raise BadRequest(
            f"invalid login name: {name[:80]!r}", hint="use letters, digits, dots, hyphens, underscores and @"
        )
    return _folder() / f"{name}{SUFFIX}"


def _existing(name: str) -> Path:
    path = _path(name)
    if path.is_symlink() or not path.is_file():
        known = [path.stem for path in paths()]
        listed = ", ".join(known[:SHOWN_NAMES]) + (" …" if len(known) > SHOWN_NAMES else "")
        raise BadRequest(
            f"no such login: {name!r}; saved: {listed or 'none'}", hint="`auth save NAME` saves one"
        )
    return path

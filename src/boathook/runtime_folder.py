"""Folders: the private runtime folder for temporary files, and where states and caches are stored.

The thin client reads this on every call, so it works on strings: pathlib and tempfile cost it several milliseconds.
"""
# ruff: noqa: PTH102, PTH103, PTH111, PTH112, PTH116, PTH120

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

RUNTIME_VARIABLE = "BOATHOOK_RUNTIME_DIR"
_OWNER_ONLY = 0o700
_OPEN_TO_OTHERS = 0o077
_TEMPORARY_VARIABLES = ("TMPDIR", "TEMP", "TMP")
_TEMPORARY_PLACES = ("/tmp", "/var/tmp", "/usr/tmp")  # noqa: S108 (a folder of ours below it is made and checked)


class NoPrivateFolder(OSError):
    """No private folder could be created on this machine; `refused` has each candidate with its reason."""

    def __init__(self, refused: dict[str, str]) -> None:
        super().__init__("; ".join(f"{path} {why}" for path, why in refused.items()))
        self.refused = refused


def runtime_folder(environ: Mapping[str, str] = os.environ) -> str:
    """Where temporary profiles are: the first place that is, or can be made, private.

    A place that belongs to another user is skipped. One that belongs to this user but is open to others is an error:
    a daemon may be running in it, and a second one elsewhere would hide its pages.
    """
    return first_private(_places(environ))


def daemon_folder(environ: Mapping[str, str] = os.environ) -> str:
    """The private folder of the daemon, determined by user and HOME alone.

    MCP clients pass on few environment variables, and command line and MCP clients must find the same daemon.
    BOATHOOK_RUNTIME_DIR names another folder.
    """
    named = environ.get(RUNTIME_VARIABLE, "")
    if named.startswith("/"):
        return first_private((named.rstrip("/") or "/",))
    home = home_folder(environ)
    inside = (f"{home}/.cache/boathook/run",) if _is_ours(home) else ()
    return first_private((*inside, short_folder(home)))


def home_folder(environ: Mapping[str, str] = os.environ) -> str:
    """The user's home: HOME, or the system's entry if it is not set."""
    home = environ.get("HOME", "")
    if home.startswith("/"):
        return home.rstrip("/") or "/"
    import pwd  # noqa: PLC0415 (rarely needed, and each import is paid on each call)

    try:
        return pwd.getpwuid(os.geteuid()).pw_dir.rstrip("/") or "/"
    except KeyError:  # a user that the system does not know, as in some containers
        return "/"


def short_folder(whole: str) -> str:
    """A folder with a short path that stands for a longer one of this user."""
    from binascii import crc32  # noqa: PLC0415 (rarely needed, and each import is paid on each call)

    return f"/tmp/boathook-{os.geteuid()}-{crc32(os.fsencode(whole)):08x}"  # noqa: S108 (checked before use)


def _is_ours(home: str) -> bool:
    """Whether this home belongs to this user, which is not so with `sudo -E`."""
    try:
        return os.stat(home).st_uid == os.geteuid()
    except OSError:
        return False


def first_private(places: Iterable[str]) -> str:
    """The first of these folders that is, or can be made, private."""
    refused: dict[str, str] = {}
    for place in places:
        why_not = why_not_private(place)
        if why_not is None:
            return place
        refused[place] = why_not
        if why_not.startswith("is open to others"):
            break
    raise NoPrivateFolder(refused)


def _places(environ: Mapping[str, str]) -> Iterator[str]:
    """Where the folder may be, best first."""
    session = environ.get("XDG_RUNTIME_DIR", "")
    if session.startswith("/"):
        yield f"{session}/boathook"
    yield f"{temporary_place(environ)}/boathook-{os.geteuid()}"
    yield f"{cache_folder(environ)}/run"


def state_folder(environ: Mapping[str, str] = os.environ) -> str:
    """Where files are stored that outlive the daemon: histories, spilled text, states."""
    state = environ.get("XDG_STATE_HOME", "")
    base = state if state.startswith("/") else f"{environ.get('HOME', '')}/.local/state"
    return f"{base}/boathook"


def cache_folder(environ: Mapping[str, str] = os.environ) -> str:
    """Where installed browsers and small cached results are stored."""
    cache = environ.get("XDG_CACHE_HOME", "")
    return f"{cache if cache.startswith('/') else os.path.expanduser('~/.cache')}/boathook"


def own_folders(environ: Mapping[str, str] = os.environ) -> Iterator[str]:
    """Every place of our own files, whether it exists or not."""
    yield state_folder(environ)
    yield cache_folder(environ)
    yield short_folder(home_folder(environ))
    yield from _places(environ)
    for name, ending in ((RUNTIME_VARIABLE, ""), ("XDG_CONFIG_HOME", "/boathook")):
        if environ.get(name, "").startswith("/"):
            yield f"{environ[name]}{ending}"


def temporary_place(environ: Mapping[str, str] = os.environ) -> str:
    """The system's directory for temporary files, by the rule of the standard library."""
    named = [environ[name] for name in _TEMPORARY_VARIABLES if environ.get(name, "").startswith("/")]
    for place in (*named, *_TEMPORARY_PLACES):
        if os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK):
            return place.rstrip("/") or "/"
    return "/tmp"  # noqa: S108 (refused later with the reason, since it is not a writable directory)


def why_not_private(path: str) -> str | None:
    """Make sure that `path` is a private directory; returns the reason if not. Links are refused."""
    try:
        _make(path)
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except NotADirectoryError:
        return "is a link, or not a directory"
    except PermissionError:
        return "cannot be entered"
    except OSError as error:
        return f"cannot be used: {error.strerror}"
    try:
        facts = os.fstat(folder)
    finally:
        os.close(folder)
    if facts.st_uid != os.geteuid():
        return f"belongs to user {facts.st_uid}"
    if stat.S_IMODE(facts.st_mode) & _OPEN_TO_OTHERS:
        return f"is open to others (mode {stat.S_IMODE(facts.st_mode):o}; chmod 700 makes it private)"
    return None if os.access(path, os.W_OK | os.X_OK) else "is not writable"


def _make(path: str) -> None:
    if os.path.lexists(path):
        return
    parent = os.path.dirname(path)
    if not os.path.isdir(parent):
        os.makedirs(parent, mode=_OWNER_ONLY, exist_ok=True)
    try:
        os.mkdir(path, mode=_OWNER_ONLY)
    except FileExistsError:
        return  # another client was faster; it is checked like any other

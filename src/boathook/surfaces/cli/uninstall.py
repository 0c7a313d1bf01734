"""`boathook uninstall`: stop the daemon, remove all stored files, and print what is left to do."""
# ruff: noqa: PTH110, PTH111, PTH114, PTH118, PTH119, PTH208

from __future__ import annotations

import json
import os
import shutil
import sys

from boathook.runtime_folder import cache_folder, runtime_folder, state_folder
from boathook.surfaces.cli.daemon_commands import stop_daemon
from boathook.wire.socket_address import daemon_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boathook.surfaces.cli.daemon_commands import Printed

_BAD_REQUEST_EXIT = 2
_USAGE = """\
usage: boathook uninstall [--yes] [--json]

  Stops the daemon with its browsers and removes stored files: installed browsers, histories, spilled text, states,
  temporary profiles. Without --yes, only lists them. Files that you saved, profiles that you named and your settings
  are not removed.
"""
_MEBIBYTE = 1 << 20
_EXTENSION_FOLDER = "Boathook extension"


def uninstall(argv: list[str]) -> Printed:
    """Run the command; returns stdout, stderr and exit status."""
    if {"--help", "-h"} & set(argv):
        return _USAGE, "", 0
    unknown = [word for word in argv if word not in {"--yes", "--json"}]
    if unknown:
        return (
            "",
            f"error: uninstall takes --yes and --json, not {unknown[0]!r} [bad_request]\n",
            _BAD_REQUEST_EXIT,
        )
    as_json, places = "--json" in argv, _places()
    if "--yes" not in argv:
        return _proposal(places, as_json=as_json)
    stop_daemon(force=False, as_json=False)
    troubles = {path: why for path in places if (why := _remove_folder(path))}
    gone = [path for path in places if path not in troubles]
    return _report(gone, troubles, as_json=as_json)


def _places() -> dict[str, str]:
    """The folders on this machine, with their purpose."""
    named = {
        state_folder(): "histories, spilled text, states",
        daemon_folder(): "the daemon's socket, locks and log",
        runtime_folder(): "temporary profiles",
        cache_folder(): "installed browsers and small caches",
    }
    return {path: what for path, what in named.items() if os.path.lexists(path)}


def _proposal(places: dict[str, str], *, as_json: bool) -> Printed:
    message = "this removes stored files; nothing has been removed yet"
    if as_json:
        error = {"code": "bad_request", "message": message, "hint": "add --yes", "places": places}
        return json.dumps({"ok": False, "error": error}) + "\n", "", _BAD_REQUEST_EXIT
    lines = [f"  {path}  {what} ({_size(path)})\n" for path, what in places.items()]
    return "".join(lines), f"error: {message} (add --yes) [bad_request]\n", _BAD_REQUEST_EXIT


def _report(gone: list[str], troubles: dict[str, str], *, as_json: bool) -> Printed:
    left = _list_leftovers()
    if as_json:
        told = {"ok": not troubles, "data": {"removed": gone, "not_removed": troubles, "left": left}}
        return json.dumps(told) + "\n", "", 1 if troubles else 0
    out = "".join(f"removed {path}\n" for path in gone) + "".join(f"left: {line}\n" for line in left)
    err = "".join(f"error: cannot remove {path}: {why}\n" for path, why in troubles.items())
    return out, err, 1 if troubles else 0


def _remove_folder(path: str) -> str:
    """Remove a folder with its contents; returns the reason if that failed."""
    if os.path.islink(path):
        return "it is a symbolic link"
    if os.lstat(path).st_uid != os.geteuid():
        return "it belongs to another user"
    try:
        if held := _find_held_lock(path):
            return f"a running program holds {held}"
        shutil.rmtree(path)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _find_held_lock(path: str) -> str:
    """The name of a lock in the folder that a process holds, such as a browser with its profile there."""
    import fcntl  # noqa: PLC0415 (not on every system)

    for name in sorted(os.listdir(path)):
        if not name.endswith(".lock"):
            continue
        lock = os.open(os.path.join(path, name), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return name
        finally:
            os.close(lock)
    return ""


def _list_leftovers() -> list[str]:
    """What is left for the user to remove, and how."""
    config = os.environ.get("XDG_CONFIG_HOME", "")
    own = os.path.join(config if config.startswith("/") else os.path.expanduser("~/.config"), "boathook")
    left = [f"your settings in {own}: rm -r {own}"] if os.path.exists(own) else []
    extension = os.path.expanduser(f"~/{_EXTENSION_FOLDER}")
    if os.path.exists(extension):
        left.append(
            f"the extension in {extension}: remove it on the browser's extensions page, then rm -r '{extension}'"
        )
    left.append("files that you saved, profiles that you named with --profile, and boathook.toml in projects")
    return [*left, f"the program itself: {_how_to_remove()}"]


def _how_to_remove() -> str:
    places = sys.prefix.replace(os.sep, "/")
    if "/pipx/venvs/" in places:
        return "pipx uninstall boathook"
    if "/uv/tools/" in places:
        return "uv tool uninstall boathook"
    return f"{os.path.basename(sys.executable)} -m pip uninstall boathook"


def _size(path: str) -> str:
    size = sum(
        os.lstat(os.path.join(folder, name)).st_size
        for folder, _, names in os.walk(path)
        for name in names
        if os.path.lexists(os.path.join(folder, name))
    )
    return f"{size / _MEBIBYTE:.1f} MiB"

"""`boathook relay` and `boathook extension`: serve, install the extension, say what is wrong."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest, BadSetting, BoathookError
from boathook.hints import COMMAND_LINE, render
from boathook.relay.extension.install_extension import install
from boathook.relay.server.credentials import SecretFiles, relay_folder
from boathook.values import counted

if TYPE_CHECKING:
    from types import ModuleType

    from boathook.relay.server.hub import Hub

INTERRUPTED_EXIT = 130
_HIGHEST_PORT = 65_535
LOOK_SECONDS = 5.0
USAGE = """\
usage: boathook relay [serve] [options]     serve until stopped; a relay of yours that runs already is left to it
       boathook relay install [options]     copy the extension, paired with your relay, and say how to load it
       boathook relay url [--client NAME]   the address for CDP clients, with the token: keep it to yourself
       boathook relay doctor                what is there, and what to do about what is not
       boathook extension install | doctor  the same two, under the name of what they are about

  --port N           the port on 127.0.0.1; without it the one that the extension was installed for, or 19377
  --client NAME      the client that an address is for; each has a token of its own
  --folder PATH      install: where the extension goes
  --secrets PATH     the folder of tokens and key, instead of the usual one
  --single-active    one client at a time; others get 409 and ask /client-slot
  --owned-tabs       a tab belongs to the client that drove it first, until it leaves
  --idle-seconds N   end when no client was there for so long; one that was started on demand ends after a quarter of an hour
"""
_WORDS = ("serve", "install", "url", "doctor")
_FLAGS = {"--single-active": "single_active", "--owned-tabs": "owned_tabs"}


@dataclass(slots=True)
class Options:
    """The command line, read."""

    word: str = "serve"
    port: int = 0
    """0 is the usual one."""
    client: str = "default"
    folder: str = ""
    secrets: str = ""
    single_active: bool = False
    owned_tabs: bool = False
    idle_seconds: float = 0
    """After so long without a client it ends; 0 is never."""
    help: bool = False


def main(argv: list[str]) -> int:
    """Run one of them; the exit status."""
    try:
        options = read_options(argv)
        if options.help:
            return _say(USAGE)
        options.port = options.port or SecretFiles(_secrets(options)).usual_port
        return _RUN[options.word](options)
    except BoathookError as error:
        hint = render(error.marked_hint, COMMAND_LINE)
        sys.stderr.write(f"error: {error.message}{f' ({hint})' if hint else ''} [{error.code}]\n")
        return error.exit_status
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT


def read_options(argv: list[str]) -> Options:
    """Read the words after the program's name; BadRequest says which one is wrong."""
    options = Options(word="doctor" if argv[:1] == ["extension"] else "serve")
    words = list(argv[1:])
    while words:
        name, equals, value = words.pop(0).partition("=")
        if name in {"--help", "-h"}:
            options.help = True
        elif name in _WORDS and not equals:
            options.word = name
        elif name in _FLAGS and not equals:
            setattr(options, _FLAGS[name], True)
        elif name in {"--port", "--client", "--folder", "--secrets", "--idle-seconds"}:
            if not equals:
                value = words.pop(0) if words else ""
            _take(options, name, value)
        else:
            raise BadRequest(f"relay has no option {name[:40]!r}", hint="`relay --help`")
    return options


def _take(options: Options, name: str, value: str) -> None:
    if not value:
        raise BadRequest(f"relay: {name} needs a value", hint="`relay --help`")
    if name == "--idle-seconds":
        if not value.isdigit():
            raise BadRequest(f"relay: --idle-seconds is a whole number, not {value[:20]!r}")
        options.idle_seconds = float(value)
    elif name != "--port":
        setattr(options, name.removeprefix("--"), value)
    elif value.isdigit() and 0 < int(value) <= _HIGHEST_PORT:
        options.port = int(value)
    else:
        raise BadRequest(f"relay: --port is a number from 1 to {_HIGHEST_PORT}, not {value[:20]!r}")


def _serve(options: Options) -> int:
    served = _loaded()
    files = SecretFiles(_secrets(options))
    listening = served.bound(options.port, files)
    if listening is None:
        return _say(f"a relay of yours serves port {options.port} already\n")
    with contextlib.closing(listening):
        asyncio.run(_until_stopped(served, files, listening, options))
    return 0


async def _until_stopped(served: ModuleType, files: SecretFiles, listening: object, options: Options) -> None:
    rules = served.Rules(single_active=options.single_active, owns_tabs=options.owned_tabs)
    files.token(options.client)
    async with served.serving(files, listening, rules=rules, write_address=True) as (hub, task):
        loop = asyncio.get_running_loop()
        told = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, told.set)
        _say(f"relay: 127.0.0.1:{options.port}; `boathook relay url` gives the address for clients\n")
        reasons: set[asyncio.Future[Any]] = {asyncio.ensure_future(told.wait())}
        if options.idle_seconds:
            reasons.add(asyncio.ensure_future(unused(hub, options.idle_seconds)))
        await asyncio.wait({task, *reasons}, return_when=asyncio.FIRST_COMPLETED)
        for reason in reasons:
            reason.cancel()


async def unused(hub: Hub, seconds: float) -> None:
    """Until no client has been there for so long."""
    step = min(seconds, LOOK_SECONDS)
    left = seconds
    while left > 0:
        await asyncio.sleep(step)
        left = seconds if hub.clients else left - step


def _install(options: Options) -> int:
    files = SecretFiles(_secrets(options))
    place = install(
        files, port=options.port, folder=Path(options.folder).absolute() if options.folder else None
    )
    if _is_loaded_anew(options.port, files):
        return _say(
            f"the extension is in {place}\nthe one that is connected loads its files anew; if that was loaded from another folder, load this one\n"
        )
    return _say(
        f"the extension is in {place}\n"
        "1. type chrome://extensions into the address bar, which no program may do for you, and switch on Developer mode\n"
        f"2. press Load unpacked and choose that folder\n"
        "then run `boathook relay`; the popup says when it is connected. Whoever can read that folder can pair with\n"
        "your relay: leave it where only you can enter.\n"
    )


def _url(options: Options) -> int:
    token = SecretFiles(_secrets(options)).token(options.client)
    return _say(f"ws://127.0.0.1:{options.port}/cdp/{token}\n")


def _doctor(options: Options) -> int:
    served = _loaded()
    files = SecretFiles(_secrets(options))
    installed = (files.folder / "extension" / "pairing.json").is_file()
    running = served.is_our_relay(options.port, files)
    lines = [
        f"{_mark(installed)} extension copied to {files.folder / 'extension'}"
        + ("" if installed else ": run `boathook extension install`"),
        f"{_mark(running)} relay on port {options.port}" + ("" if running else ": run `boathook relay`"),
    ]
    extensions = _told(options.port, files.token(), "/status").get("extensions", []) if running else []
    connected = [one for one in extensions if one["connected"]]
    lines.append(
        f"{_mark(bool(connected))} {len(connected)} extension(s) connected"
        + ("" if connected else ": load it at chrome://extensions, and look at its popup")
    )
    for one in connected:
        attached = sum(tab["attached"] for tab in one["tabs"])
        stopped = f", {one['stopped']} by the user" if one["stopped"] else ""
        lines.append(
            f"     {one['browser']}: {counted(len(one['tabs']), 'tab')}, {attached} attached{stopped}; profile {one['installId']}"
        )
    _say("\n".join(lines) + "\n")
    return 0 if connected else 1


def _is_loaded_anew(port: int, files: SecretFiles) -> bool:
    """Whether an extension is connected that could be told to load its files again, as after an update."""
    try:
        if not _loaded().is_our_relay(port, files):
            return False
    except BadSetting:  # installing needs no server
        return False
    return bool(_told(port, files.token(), "/extension/reload", method="POST").get("reloaded"))


def _told(port: int, token: str, path: str, *, method: str = "GET") -> dict[str, Any]:
    """What the relay says; nothing when it does not."""
    import http.client  # noqa: PLC0415 (only here)

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        connection.request(method, path, headers=headers)
        told: dict[str, Any] = json.loads(connection.getresponse().read())
    except (OSError, ValueError, http.client.HTTPException):
        return {}
    finally:
        connection.close()
    return told


def _secrets(options: Options) -> Path:
    return Path(options.secrets).absolute() if options.secrets else relay_folder()


def _mark(is_well: bool) -> str:  # noqa: FBT001 - it is the subject
    return "ok  " if is_well else "no  "


def _loaded() -> ModuleType:
    try:
        return import_module("boathook.relay.server.serve")
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"the relay needs a package that is not there: {error.name}", hint="pip install 'boathook[relay]'"
        ) from error


def _say(text: str) -> int:
    sys.stdout.write(text)
    sys.stdout.flush()
    return 0


_RUN = {"serve": _serve, "install": _install, "url": _url, "doctor": _doctor}

"""`boathook relay` and `boathook extension`: serve, install the extension, diagnose problems."""

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
from boathook.relay.server.credentials import RelayCredentials, relay_folder
from boathook.values import count_noun

if TYPE_CHECKING:
    from types import ModuleType

    from boathook.relay.server.hub import Hub

INTERRUPTED_EXIT = 130
_HIGHEST_PORT = 65_535
LOOK_SECONDS = 5.0
USAGE = """\
usage: boathook relay [serve] [options]     run the relay until stopped, unless it is already running
       boathook relay install [options]     copy the extension, paired with your relay, and print how to load it
       boathook relay url [--client NAME]   print the URL for CDP clients; it contains the token, so keep it secret
       boathook relay doctor                check the installation, and print how to fix problems
       boathook extension install | doctor  aliases of relay install and relay doctor

  --port N           the port on 127.0.0.1; default: the port of the installed extension, or 19377
  --client NAME      the client that uses the URL; each client has its own token
  --folder PATH      install: the folder for the extension
  --secrets PATH     the folder of tokens and key, instead of the default
  --single-active    one client at a time; others get 409 and can query /client-slot
  --owned-tabs       a tab belongs to the first client that uses it, until that disconnects
  --idle-seconds N   exit after this time without clients; a relay started on demand exits after 15 minutes
"""
_WORDS = ("serve", "install", "url", "doctor")
_FLAGS = {"--single-active": "single_active", "--owned-tabs": "owned_tabs"}


@dataclass(slots=True)
class RelayOptions:
    """The parsed command line."""

    word: str = "serve"
    port: int = 0
    """0 is the default."""
    client: str = "default"
    folder: str = ""
    secrets: str = ""
    single_active: bool = False
    owned_tabs: bool = False
    idle_seconds: float = 0
    """Exit after this many seconds without a client; 0 is never."""
    help: bool = False


def main(argv: list[str]) -> int:
    """Run one of them; returns the exit status."""
    try:
        options = read_options(argv)
        if options.help:
            return _print(USAGE)
        options.port = options.port or RelayCredentials(_secrets(options)).usual_port
        return _RUN[options.word](options)
    except BoathookError as error:
        hint = render(error.marked_hint, COMMAND_LINE)
        sys.stderr.write(f"error: {error.message}{f' ({hint})' if hint else ''} [{error.code}]\n")
        return error.exit_status
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT


def read_options(argv: list[str]) -> RelayOptions:
    """Parse the words after the program's name; BadRequest names the invalid one."""
    options = RelayOptions(word="doctor" if argv[:1] == ["extension"] else "serve")
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
            raise BadRequest(f"relay: unknown option {name[:40]!r}", hint="`relay --help`")
    return options


def _take(options: RelayOptions, name: str, value: str) -> None:
    if not value:
        raise BadRequest(f"relay: {name} needs a value", hint="`relay --help`")
    if name == "--idle-seconds":
        if not value.isdigit():
            raise BadRequest(f"relay: --idle-seconds must be a whole number, not {value[:20]!r}")
        options.idle_seconds = float(value)
    elif name != "--port":
        setattr(options, name.removeprefix("--"), value)
    elif value.isdigit() and 0 < int(value) <= _HIGHEST_PORT:
        options.port = int(value)
    else:
        raise BadRequest(f"relay: --port must be a number from 1 to {_HIGHEST_PORT}, not {value[:20]!r}")


def _serve(options: RelayOptions) -> int:
    served = _load_server()
    files = RelayCredentials(_secrets(options))
    listening = served.bind_socket(options.port, files)
    if listening is None:
        return _print(f"your relay is already running on port {options.port}\n")
    with contextlib.closing(listening):
        asyncio.run(_serve_until_stop(served, files, listening, options))
    return 0


async def _serve_until_stop(
    served: ModuleType, files: RelayCredentials, listening: object, options: RelayOptions
) -> None:
    rules = served.Rules(single_active=options.single_active, owns_tabs=options.owned_tabs)
    files.token(options.client)
    async with served.serving(files, listening, rules=rules, write_address=True) as (hub, task):
        loop = asyncio.get_running_loop()
        told = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, told.set)
        _print(f"relay: 127.0.0.1:{options.port}; `boathook relay url` prints the URL for clients\n")
        reasons: set[asyncio.Future[Any]] = {asyncio.ensure_future(told.wait())}
        if options.idle_seconds:
            reasons.add(asyncio.ensure_future(wait_for_idle(hub, options.idle_seconds)))
        await asyncio.wait({task, *reasons}, return_when=asyncio.FIRST_COMPLETED)
        for reason in reasons:
            reason.cancel()


async def wait_for_idle(hub: Hub, seconds: float) -> None:
    """Until there has been no client for that long."""
    step = min(seconds, LOOK_SECONDS)
    left = seconds
    while left > 0:
        await asyncio.sleep(step)
        left = seconds if hub.clients else left - step


def _install(options: RelayOptions) -> int:
    files = RelayCredentials(_secrets(options))
    place = install(
        files, port=options.port, folder=Path(options.folder).absolute() if options.folder else None
    )
    if _is_reloaded(options.port, files):
        return _print(
            f"the extension is in {place}\nthe connected extension reloads its files; if it was loaded from another folder, load this one\n"
        )
    return _print(
        f"the extension is in {place}\n"
        "1. open chrome://extensions and turn on Developer mode (programs cannot do this for you)\n"
        f"2. click Load unpacked and choose that folder\n"
        "then run `boathook relay`; the popup shows when it is connected. Any program that can read that folder can pair\n"
        "with your relay: keep it where only you have access.\n"
    )


def _url(options: RelayOptions) -> int:
    token = RelayCredentials(_secrets(options)).token(options.client)
    return _print(f"ws://127.0.0.1:{options.port}/cdp/{token}\n")


def _doctor(options: RelayOptions) -> int:
    served = _load_server()
    files = RelayCredentials(_secrets(options))
    installed = (files.folder / "extension" / "pairing.json").is_file()
    running = served.is_our_relay(options.port, files)
    lines = [
        f"{_mark(installed)} extension copied to {files.folder / 'extension'}"
        + ("" if installed else ": run `boathook extension install`"),
        f"{_mark(running)} relay on port {options.port}" + ("" if running else ": run `boathook relay`"),
    ]
    extensions = _ask_relay(options.port, files.token(), "/status").get("extensions", []) if running else []
    connected = [extension for extension in extensions if extension["connected"]]
    lines.append(
        f"{_mark(bool(connected))} {len(connected)} extension(s) connected"
        + ("" if connected else ": load it at chrome://extensions, and check its popup")
    )
    for extension in connected:
        attached = sum(tab["attached"] for tab in extension["tabs"])
        stopped = f", {extension['stopped']} by the user" if extension["stopped"] else ""
        lines.append(
            f"     {extension['browser']}: {count_noun(len(extension['tabs']), 'tab')}, {attached} attached{stopped}; profile {extension['installId']}"
        )
    _print("\n".join(lines) + "\n")
    return 0 if connected else 1


def _is_reloaded(port: int, files: RelayCredentials) -> bool:
    """Whether a connected extension can reload its files, as after an update."""
    try:
        if not _load_server().is_our_relay(port, files):
            return False
    except BadSetting:  # installing needs no server
        return False
    return bool(_ask_relay(port, files.token(), "/extension/reload", method="POST").get("reloaded"))


def _ask_relay(port: int, token: str, path: str, *, method: str = "GET") -> dict[str, Any]:
    """The relay's response; empty if it does not respond."""
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


def _secrets(options: RelayOptions) -> Path:
    return Path(options.secrets).absolute() if options.secrets else relay_folder()


def _mark(is_well: bool) -> str:  # noqa: FBT001 - it is the subject
    return "ok  " if is_well else "no  "


def _load_server() -> ModuleType:
    try:
        return import_module("boathook.relay.server.serve")
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"the relay requires a package that is not installed: {error.name}",
            hint="pip install 'boathook[relay]'",
        ) from error


def _print(text: str) -> int:
    sys.stdout.write(text)
    sys.stdout.flush()
    return 0


_RUN = {"serve": _serve, "install": _install, "url": _url, "doctor": _doctor}

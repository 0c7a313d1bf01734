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
from urllib.parse import quote

from boathook._version import __version__
from boathook.errors import BadRequest, BadSetting, BoathookError
from boathook.hints import COMMAND_LINE, render
from boathook.relay.extension.install_extension import PAIRING_FILE, extension_folder, install, loading_steps
from boathook.relay.relay_doctor import ask_relay, describe_status, diagnose
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
       boathook relay url [--client NAME] [--profile NAME]
                                            print the URL for CDP clients; it contains the token, so keep it secret
       boathook relay status [--json]       print whether a relay runs, which browsers are connected, and who uses which tab
       boathook relay update                print how to update Boathook, and copy its extension again
       boathook relay doctor                check the installation, and print how to fix problems
       boathook relay stop                  stop the relay; your tabs stay as they are
       boathook relay token rotate|revoke [--client NAME]
                                            replace or remove a client's token; its connections end
       boathook relay log [--lines N] [--file PATH]
                                            print or save the latest messages, without their contents
       boathook extension install | doctor  aliases of relay install and relay doctor

  --port N           the port on 127.0.0.1; default: the port of the installed extension, or 19377
  --client NAME      the client that uses the URL; each client has its own token
  --profile NAME     url: the browser profile to use, if several are connected (relay doctor lists them)
  --folder PATH      install: the folder for the extension; default: "Boathook extension" in your home folder
  --lines N          log: the number of messages, most recent ones (default 100)
  --file PATH        log: a new file for them, as JSON lines
  --secrets PATH     the folder of tokens and key, instead of the default
  --single-active    one client at a time; others get 409 and can query /client-slot
  --owned-tabs       a tab belongs to the first client that uses it, until that disconnects
  --idle-seconds N   exit after this time without clients; a relay started on demand exits after 15 minutes
"""
_WORDS = ("serve", "install", "url", "status", "update", "doctor", "stop", "log")
_TOKEN_WORDS = ("rotate", "revoke")
_FLAGS = {"--single-active": "single_active", "--owned-tabs": "owned_tabs", "--json": "json"}


@dataclass(slots=True)
class RelayOptions:
    """The parsed command line."""

    word: str = "serve"
    port: int = 0
    """0 is the default."""
    client: str = "default"
    profile: str = ""
    folder: str = ""
    secrets: str = ""
    single_active: bool = False
    owned_tabs: bool = False
    json: bool = False
    lines: int = 100
    file: str = ""
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
        elif name == "token" and not equals:
            options.word = f"token {words.pop(0) if words and words[0] in _TOKEN_WORDS else ''}".strip()
        elif name in _FLAGS and not equals:
            setattr(options, _FLAGS[name], True)
        elif name in {
            "--port",
            "--client",
            "--profile",
            "--folder",
            "--secrets",
            "--idle-seconds",
            "--lines",
            "--file",
        }:
            if not equals:
                value = words.pop(0) if words else ""
            _take(options, name, value)
        else:
            raise BadRequest(f"relay: unknown option {name[:40]!r}", hint="`relay --help`")
    return options


def _take(options: RelayOptions, name: str, value: str) -> None:
    if not value:
        raise BadRequest(f"relay: {name} needs a value", hint="`relay --help`")
    if name in {"--idle-seconds", "--lines"}:
        if not value.isdigit():
            raise BadRequest(f"relay: {name} must be a whole number, not {value[:20]!r}")
        setattr(options, name.removeprefix("--").replace("-", "_"), int(value))
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
    return _print(loading_steps(place))


def _update(options: RelayOptions) -> int:
    place = extension_folder(RelayCredentials(_secrets(options)))
    _print(f"boathook {__version__}; to update it: {_update_command()}\n")
    if not (place / PAIRING_FILE).is_file():
        return _print("the extension is not installed: `boathook install-extension`\n")
    return _install(options)


def _update_command() -> str:
    """How this installation is updated, by where it is."""
    prefix = Path(sys.prefix)
    if "pipx" in prefix.parts:
        return "pipx upgrade boathook"
    if prefix.parent.name == "tools" and "uv" in prefix.parts:
        return "uv tool upgrade boathook"
    return f"{sys.executable} -m pip install --upgrade boathook"


def _url(options: RelayOptions) -> int:
    token = RelayCredentials(_secrets(options)).token(options.client)
    chosen = f"?profile={quote(options.profile)}" if options.profile else ""
    return _print(f"ws://127.0.0.1:{options.port}/cdp/{token}{chosen}\n")


def _stop(options: RelayOptions) -> int:
    files = RelayCredentials(_secrets(options))
    if not _load_server().is_our_relay(options.port, files):
        return _print(f"no relay of yours is running on port {options.port}\n")
    ask_relay(options.port, files.token(), "/stop", method="POST")
    return _print("the relay stops; your tabs stay as they are\n")


def _token(options: RelayOptions) -> int:
    files = RelayCredentials(_secrets(options))
    if options.word == "token rotate":
        files.replace_token(options.client)
        return _print(f"{options.client} has a new token: `boathook relay url --client {options.client}`\n")
    if options.word != "token revoke":
        raise BadRequest("relay token: use rotate or revoke", hint="`relay --help`")
    if not files.remove_token(options.client):
        raise BadRequest(f"client {options.client[:40]!r} has no token")
    return _print(f"the token of {options.client} is removed; its connections end\n")


def _log(options: RelayOptions) -> int:
    files = RelayCredentials(_secrets(options))
    if not _load_server().is_our_relay(options.port, files):
        raise BadRequest(f"no relay of yours is running on port {options.port}", hint="start it: `relay`")
    found = ask_relay(options.port, files.token(), f"/log?limit={options.lines}").get("entries", [])
    lines = "".join(f"{json.dumps(entry)}\n" for entry in found)
    if not options.file:
        return _print(lines)
    try:
        with Path(options.file).open("x", encoding="utf-8") as file:
            file.write(lines)
    except OSError as error:
        raise BadRequest(f"{options.file} cannot be written: {error.strerror}") from error
    return _print(f"{count_noun(len(found), 'message')} in {options.file}\n")


def _status(options: RelayOptions) -> int:
    files = RelayCredentials(_secrets(options))
    is_running = _load_server().is_our_relay(options.port, files)
    status = ask_relay(options.port, files.token(), "/status") if is_running else {}
    _print(json.dumps(status) + "\n" if options.json else describe_status(status, port=options.port))
    return 0 if any(extension["connected"] for extension in status.get("extensions", [])) else 1


def _doctor(options: RelayOptions) -> int:
    served = _load_server()
    files = RelayCredentials(_secrets(options))
    is_running = served.is_our_relay(options.port, files)
    report, is_connected = diagnose(files, port=options.port, is_running=is_running)
    _print(report)
    return 0 if is_connected else 1


def _is_reloaded(port: int, files: RelayCredentials) -> bool:
    """Whether a connected extension can reload its files, as after an update."""
    try:
        if not _load_server().is_our_relay(port, files):
            return False
    except BadSetting:  # installing needs no server
        return False
    return bool(ask_relay(port, files.token(), "/extension/reload", method="POST").get("reloaded"))


def _secrets(options: RelayOptions) -> Path:
    return Path(options.secrets).absolute() if options.secrets else relay_folder()


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


_RUN = {
    "serve": _serve,
    "install": _install,
    "url": _url,
    "status": _status,
    "update": _update,
    "doctor": _doctor,
    "stop": _stop,
    "token": _token,
    "token rotate": _token,
    "token revoke": _token,
    "log": _log,
}

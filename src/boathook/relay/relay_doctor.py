"""`boathook relay doctor`: what is installed, running and connected, and how to fix what is not."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING, Any

from boathook.relay.extension.install_extension import EXTENSION_PAGES, PAIRING_FILE, extension_folder
from boathook.values import count_noun

if TYPE_CHECKING:
    from boathook.relay.server.credentials import RelayCredentials

_STOPPED = {"paused": "taken over by the user", "cancelled": "debugging cancelled by the user"}


def diagnose(files: RelayCredentials, *, port: int, is_running: bool) -> tuple[str, bool]:
    """The report, and whether a browser is connected."""
    place = extension_folder(files)
    is_installed = (place / PAIRING_FILE).is_file()
    status = ask_relay(port, files.token(), "/status") if is_running else {}
    connected = [extension for extension in status.get("extensions", []) if extension["connected"]]
    lines = [
        f"{_mark(is_installed)} extension copied to {place}"
        + ("" if is_installed else ": run `boathook extension install`"),
        f"{_mark(is_running)} relay on port {port}" + ("" if is_running else ": run `boathook relay`"),
        f"{_mark(bool(connected))} {count_noun(len(connected), 'browser profile')} connected"
        + ("" if connected else _how_to_connect(is_running)),
        *(_describe(extension) for extension in connected),
    ]
    if len(connected) > 1:
        lines.append("     choose one: --browser relay:NAME, or ?profile=NAME in the URL")
    return "\n".join(lines) + "\n", bool(connected)


def describe_status(status: dict[str, Any], *, port: int) -> str:
    """The state of a relay as text: what is connected, and who uses which tab."""
    if not status:
        return f"no relay of yours is running on port {port}; `boathook serve` starts it\n"
    programs = ", ".join(sorted({json.dumps(client["label"]) for client in status["clients"]})) or "none"
    connected = [extension for extension in status["extensions"] if extension["connected"]]
    lines = [f"relay on port {port} since {status['startedAt']}", f"programs: {programs}"]
    for extension in connected:
        lines.append(_describe(extension).strip())
        used = [tab for tab in extension["tabs"] if tab["attached"]]
        # As JSON, in which no title contains a control character.
        lines += [f"  {json.dumps(tab['title'])} {json.dumps(tab['url'])}" for tab in used]
    return (
        "\n".join(lines if connected else [*lines, "no browser is connected; `boathook relay doctor`"]) + "\n"
    )


def _how_to_connect(is_running: bool) -> str:  # noqa: FBT001 - it is the subject
    if not is_running:
        return ": start the relay first"
    pages = ", ".join(f"{page} ({name})" for name, page in EXTENSION_PAGES.items())
    return f": load the extension at {pages}; if it is loaded, its popup shows what is wrong"


def _describe(extension: dict[str, Any]) -> str:
    attached = sum(tab["attached"] for tab in extension["tabs"])
    stopped = f", {_STOPPED.get(extension['stopped'], extension['stopped'])}" if extension["stopped"] else ""
    tabs = count_noun(len(extension["tabs"]), "tab")
    return f"     {extension['name']}: {extension['browser']}, {tabs}, {attached} attached{stopped}"


def ask_relay(port: int, token: str, path: str, *, method: str = "GET") -> dict[str, Any]:
    """The relay's response; empty if it does not respond."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        connection.request(method, path, headers=headers)
        told = json.loads(connection.getresponse().read())
    except (OSError, ValueError, http.client.HTTPException):
        return {}
    finally:
        connection.close()
    return told if isinstance(told, dict) else {}


def _mark(is_well: bool) -> str:  # noqa: FBT001 - it is the subject
    return "ok  " if is_well else "no  "

"""The text of agent-browser's answers, made from their data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

OK = "✓"
DONE = f"{OK} Done"
FAILED = "✗"
WARNING = "⚠"
Data = dict[str, Any]


def _field(key: str) -> Callable[[Data], str]:
    return lambda data: _plain(data.get(key))


def _plain(value: Any) -> str:
    """Text as it is, anything else as JSON."""
    if value is None:
        return DONE
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _page(data: Data) -> str:
    return f"{OK} {data['title']}\n  {data['url']}"


def _box(data: Data) -> str:
    return "\n".join(f"{name + ':':<8}{_number(data[name])}" for name in ("x", "y", "width", "height"))


def _number(value: float) -> str:
    return f"{value:g}" if value == int(value) else str(value)


def _pairs(data: Data) -> str:
    return "\n".join(f"{name}: {value}" for name, value in data.items())


def _tabs(data: Data) -> str:
    return "\n".join(
        f"{'→' if tab['active'] else ' '} [{tab['tabId']}] {tab['label'] + ' ' if tab['label'] else ''}{tab['title']} - {tab['url']}"
        for tab in data["tabs"]
    )


def _requests(data: Data) -> str:
    lines = (
        f"[{request['requestId']}] {request['method']} {request['url']} ({request['resourceType']}) {request['status']}"
        for request in data["requests"]
    )
    return "\n".join(lines) or "No requests captured"


def _screenshot(data: Data) -> str:
    if "path" not in data:
        return f"{OK} Screenshot unchanged (revision {data['revision']})"
    legend = (
        f"   [{mark['number']}] @{mark['ref']} {mark['role']}{' ' + json.dumps(mark['name'], ensure_ascii=False) if mark.get('name') else ''}"
        for mark in data.get("annotations", ())
    )
    return "\n".join([f"{OK} Screenshot saved to {data['path']}", *legend])


def _delta(data: Data) -> str:
    snapshot = data["snapshot"]
    return str(snapshot.get("tree", f"unchanged (revision {snapshot['revision']})"))


def _saved(what: str) -> Callable[[Data], str]:
    return lambda data: f"{OK} {what} saved to {data['path']}"


def _dialog(data: Data) -> str:
    if not data["hasDialog"]:
        return f"{OK} No dialog is open"
    return f'{WARNING} JavaScript {data["type"]} dialog is open: "{data["message"]}"'


def _waited(data: Data) -> str:
    for key in ("text", "url", "result"):
        if key in data:
            return _plain(data[key])
    return f"{OK} Download saved to {data['path']}" if "path" in data else DONE


def _clicked(data: Data) -> str:
    return str(data["url"]) if "newTab" in data else DONE


def _found(data: Data) -> str:
    return str(data["text"]) if "text" in data else DONE


def _diff(data: Data) -> str:
    counts = f"{data['additions']} additions, {data['removals']} removals, {data['unchanged']} unchanged"
    return f"{data['diff']}\n\n{counts}" if data["changed"] else counts


def _audit(data: Data) -> str:
    counts = data["counts"]
    told = ", ".join(f"{counts[name]} {name}" for name in ("violations", "incomplete", "passes"))
    lines = [
        f"[{found['impact']}] {found['id']}: {found['help']} ({found['nodeCount']})"
        for found in data["violations"]
    ]
    return "\n".join([f"{data['url']}: {told}", *lines])


TEXTS: dict[str, Callable[[Data], str]] = {
    "ours": lambda data: json.dumps(data, ensure_ascii=False, indent=2),
    "page": _page,
    "url": _field("url"),
    "content": _field("content"),
    "closed": lambda _data: f"{OK} Browser closed",
    "clicked": _clicked,
    "text": _field("text"),
    "html": _field("html"),
    "value": _field("value"),
    "attribute": _field("value"),
    "count": _field("count"),
    "box": _box,
    "styles": lambda data: _pairs(data["styles"]),
    "title": _field("title"),
    "cdp url": _field("cdpUrl"),
    "visible": _field("visible"),
    "enabled": _field("enabled"),
    "checked": _field("checked"),
    "found": _found,
    "result": lambda data: json.dumps(data["result"], ensure_ascii=False, indent=2),
    "snapshot": _field("snapshot"),
    "snapshot delta": _delta,
    "interactive snapshot": _field("snapshot"),
    "interactive snapshot delta": _delta,
    "screenshot": _screenshot,
    "pdf": _saved("PDF"),
    "download": _saved("Download"),
    "har": lambda data: f"{OK} HAR saved to {data['path']} ({data['requestCount']} requests)",
    "har started": lambda _data: f"{OK} HAR recording started",
    "state saved": _saved("State"),
    "waited": _waited,
    "tab": _page,
    "tabs": _tabs,
    "new tab": _field("url"),
    "closed tab": lambda data: f"{OK} Tab [{data.get('tabId', '')}] closed",
    "window": lambda data: f"{OK} Window opened [{data['tabId']}] ({data['total']} total)",
    "dialog": _dialog,
    "cookies": lambda data: "\n".join(f"{cookie['name']}={cookie['value']}" for cookie in data["cookies"]),
    "cookies cleared": lambda _data: f"{OK} Cookies cleared",
    "storage": lambda data: _pairs(data["data"]) or "No storage entries",
    "storage key": lambda data: (
        f"{data['key']}: {_plain(data['value']) if data['value'] is not None else 'null'}"
    ),
    "requests": _requests,
    "request": _field("url"),
    "console": lambda data: "\n".join(f"[{one['type']}] {one['text']}" for one in data["messages"]),
    "console cleared": lambda _data: f"{OK} Console log cleared",
    "errors": lambda data: "\n".join(f"{FAILED} {one['text']}" for one in data["errors"]),
    "clipboard": _field("text"),
    "started": lambda _data: f"{OK} Recording started",
    "trace": _saved("Trace"),
    "profile": _saved("Profile"),
    "audit": _audit,
    "vitals": lambda data: json.dumps(data, ensure_ascii=False, indent=2),
    "states": lambda data: json.dumps(data["files"], ensure_ascii=False, indent=2),
    "profiles": lambda data: json.dumps(data["profiles"], ensure_ascii=False, indent=2),
    "session": _field("session"),
    "session id": _field("session"),
    "sessions": lambda data: "\n".join(["Active sessions:", *(f"  {name}" for name in data["sessions"])]),
    "diff": _diff,
}
"""By the name of the shape; others print only that it is done."""


def text_of(shape: str, data: Data) -> str:
    """The text of an answer."""
    make = TEXTS.get(shape)
    return make(data) if make is not None else DONE

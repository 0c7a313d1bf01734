"""The data of agent-browser's answers, made from the values of our commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.actions.perform import Performed
from boathook.presentation.rendering import as_data
from boathook.redaction.redactor import REDACTED
from boathook.service.agent_browser.answered import just, valued
from boathook.service.agent_browser.record_shapes import RECORD_SHAPES
from boathook.service.agent_browser.snapshot_lines import (
    annotations_of,
    interactive_lines,
    read_lines,
    refs_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.engine.tab import Tab
    from boathook.service.agent_browser.answered import Answered

FOUND = {
    "click": "clicked",
    "fill": "filled",
    "type": "typed",
    "check": "checked",
    "uncheck": "unchecked",
    "hover": "hovered",
    "focus": "focused",
    "select": "selected",
}
"""The key of each action of `find`."""
WAITS = {
    ("--text", "-t"): "text",
    ("--url", "-u"): "url",
    ("--load", "-l"): "load",
    ("--fn", "-f"): "fn",
    ("--download",): "download",
}


def _echo(key: str) -> Callable[[Answered], dict[str, Any]]:
    """The data of a command that repeats what it acted on."""
    return lambda done: {key: done.line.word(0), **_dialog_opened(done)}


def _dialog_opened(done: Answered) -> dict[str, Any]:
    if not isinstance(done.value, Performed):
        return {}
    changes = done.value.changes
    return {"dialogOpened": True} if changes.dialog is not None or changes.answered else {}


def _valued_at(key: str) -> Callable[[Answered], dict[str, Any]]:
    """The value, and the page that it is from."""
    return lambda done: {"origin": done.url, key: as_data(done.value)}


def _page(done: Answered) -> dict[str, Any]:
    return {
        "targetId": done.tab.target_id if done.tab else "",
        "title": done.value.title,
        "url": done.value.url,
    }


def _url(done: Answered) -> dict[str, Any]:
    value = done.value
    return {"url": value if isinstance(value, str) else getattr(value, "url", done.url)}


def _clicked(done: Answered) -> dict[str, Any]:
    data = _echo("clicked")(done)
    if "--new-tab" in done.line.flags and done.tab is not None:
        data |= {"newTab": True, "url": done.tab.url}
    return data


def _typed(done: Answered) -> dict[str, Any]:
    secret = isinstance(done.value, Performed) and done.value.on_secret
    return {"typed": REDACTED if secret else done.line.words[-1] if len(done.line.words) > 1 else ""}


def _found(done: Answered) -> dict[str, Any]:
    if not isinstance(done.value, Performed):
        return {"text": as_data(done.value)}
    words = list(done.line.words)
    action = next((word for word in words[2:] if word in FOUND), "click")
    return {FOUND[action]: done.value.target.rpartition(" ")[2], **_dialog_opened(done)}


def _snapshot(done: Answered, *, interactive: bool = False) -> dict[str, Any]:
    lines = read_lines(done.value.snapshot)
    before = done.value.before
    refs = refs_of(lines)
    old = refs_of(read_lines(before)) if before is not None and before.url == done.value.snapshot.url else {}
    return {
        "origin": done.url,
        "refs": refs,
        "removedRefs": sorted(set(old) - set(refs)),
        "snapshot": "\n".join(map(str, interactive_lines(lines) if interactive else lines)),
    }


def _delta(done: Answered, *, interactive: bool = False) -> dict[str, Any]:
    """Everything, or that nothing has changed."""
    after, before = done.value.snapshot, done.value.before
    if before is not None and before.revision == after.revision:
        told = {"baseRevision": before.revision, "kind": "unchanged", "revision": after.revision}
        return {"origin": done.url, "snapshot": told}
    whole = _snapshot(done, interactive=interactive)
    told = {"kind": "full", "refs": whole["refs"], "revision": after.revision, "tree": whole["snapshot"]}
    return {"origin": done.url, "snapshot": told}


def _screenshot(done: Answered) -> dict[str, Any]:
    value = done.value
    data: dict[str, Any] = {"path": str(value.path)} if value.path is not None else {}
    if done.marked is not None:
        data["annotations"] = annotations_of(read_lines(done.marked))
    if "--if-changed" in done.line.flags:
        data |= {"changed": value.changed, "pixelChangeRatio": value.ratio or 0.0, "revision": value.revision}
        data["threshold"] = 0.0
    return data


def _waited(done: Answered) -> dict[str, Any]:
    flag, *rest = done.line.argv[1:]
    kind = next((name for names, name in WAITS.items() if flag in names), "")
    data: dict[str, dict[str, Any]] = {
        "text": {"text": rest[0] if rest else "", "waited": "text"},
        "url": _url(done),
        "load": {"state": rest[0] if rest else ""},
        "fn": {"result": as_data(done.value)},
        "download": {"path": str(getattr(done.value, "path", ""))},
    }
    if kind:
        return data[kind]
    if flag.isdecimal():
        return {"ms": int(flag), "waited": "timeout"}
    return {"selector": flag, "waited": "selector"}


def _about_tab(tab: Tab | None) -> dict[str, Any]:
    if tab is None:
        return {}
    return {"label": tab.label or None, "tabId": tab.id, "targetId": tab.target_id}


def _tab(done: Answered) -> dict[str, Any]:
    return {**_about_tab(done.tab), "title": done.title, "url": done.tab.url if done.tab else ""}


def _tabs(done: Answered) -> dict[str, Any]:
    active = done.tab.target_id if done.tab else ""
    labels = {tab.id: tab.label for tab in done.tabs}
    return {
        "tabs": [
            {
                "active": page.target_id == active,
                "label": labels.get(page.tab) or None,
                "tabId": page.tab or page.target_id,
                "targetId": page.target_id,
                "title": page.title,
                "type": "page",
                "url": page.url,
            }
            for page in done.value
        ]
    }


def _new_tab(done: Answered) -> dict[str, Any]:
    opened = {**_about_tab(done.tab), "total": len(done.tabs)}
    return {**opened, "url": done.tab.url if done.tab else ""}


def _closed_tab(done: Answered) -> dict[str, Any]:
    return {"closed": True, **_about_tab(done.closed)}


def _dialog(done: Answered) -> dict[str, Any]:
    if done.value is None:
        return {"hasDialog": False}
    dialog = done.value
    return {
        "defaultPrompt": dialog.default_text,
        "hasDialog": True,
        "message": dialog.message,
        "type": dialog.kind,
    }


def _read(done: Answered) -> dict[str, Any]:
    data = as_data(done.value)
    given = next((word for word in done.line.words if "://" in word or "." in word), "")
    return {
        "content": data.get("text", ""),
        "contentType": "text/html",
        "finalUrl": data.get("url") or done.url,
        "source": "html-fallback" if given else "active-tab-html",
        "truncated": data.get("path") is not None,
        "url": given or done.url,
    }


def _ours(done: Answered) -> dict[str, Any]:
    if isinstance(done.value, Performed):
        return {"done": True, **_dialog_opened(done)}
    data = as_data(done.value)
    return data if isinstance(data, dict) else {"result": data}


SHAPES: dict[str, Callable[[Answered], dict[str, Any]]] = {
    **RECORD_SHAPES,
    "ours": _ours,
    "done": just(done=True),
    "page": _page,
    "launched": just(launched=True, relaunchedBrowser=False),
    "url": _url,
    "content": _read,
    "closed": just(closed=True),
    "clicked": _clicked,
    "tapped": _echo("tapped"),
    "hovered": _echo("hovered"),
    "focused": _echo("focused"),
    "checked element": _echo("checked"),
    "unchecked": _echo("unchecked"),
    "scrolled to": _echo("scrolled"),
    "highlighted": _echo("highlighted"),
    "filled": _echo("filled"),
    "typed": _typed,
    "typed at focus": lambda done: {"typed": REDACTED if done.value.on_secret else done.line.word(0)},
    "inserted": just(inserted=True),
    "pressed": _echo("pressed"),
    "keydown": _echo("keydown"),
    "keyup": _echo("keyup"),
    "selected": lambda done: {"selected": list(done.line.words[1:])},
    "dragged": lambda done: {"dragged": True, "source": done.line.word(0), "target": done.line.word(1)},
    "uploaded": lambda done: {"selector": done.line.word(0), "uploaded": len(done.line.words) - 1},
    "download": lambda done: {"path": str(getattr(done.value, "path", ""))},
    "scrolled": just(scrolled=True),
    "moved": lambda done: {"moved": True, "x": float(done.line.word(0)), "y": float(done.line.word(1))},
    "mouse down": just(pressed=True),
    "mouse up": just(released=True),
    "wheel": lambda done: {
        "deltaX": float(done.line.word(1, "0")),
        "deltaY": float(done.line.word(0)),
        "scrolled": True,
    },
    "text": _valued_at("text"),
    "html": valued("html"),
    "value": lambda done: {"value": "" if done.value is None else as_data(done.value)},
    "attribute": _valued_at("value"),
    "count": lambda done: {"count": done.value, "selector": done.line.word(0)},
    "box": lambda done: as_data(done.value),
    "styles": valued("styles"),
    "title": valued("title"),
    "cdp url": valued("cdpUrl"),
    "visible": _valued_at("visible"),
    "enabled": _valued_at("enabled"),
    "checked": _valued_at("checked"),
    "found": _found,
    "result": _valued_at("result"),
    "snapshot": _snapshot,
    "snapshot delta": _delta,
    "interactive snapshot": lambda done: _snapshot(done, interactive=True),
    "interactive snapshot delta": lambda done: _delta(done, interactive=True),
    "screenshot": _screenshot,
    "pdf": lambda done: {"path": done.line.word(0)},
    "waited": _waited,
    "tab": _tab,
    "tabs": _tabs,
    "new tab": _new_tab,
    "closed tab": _closed_tab,
    "window": lambda done: {"tabId": done.tab.id if done.tab else "", "total": len(done.tabs)},
    "frame": lambda done: {"frame": "main" if done.line.word(0) == "main" else as_data(done.value)},
    "accepted": just(accepted=True, handled=True),
    "dismissed": just(accepted=False, handled=True),
    "dialog": _dialog,
}
"""By the name that a rule gives."""

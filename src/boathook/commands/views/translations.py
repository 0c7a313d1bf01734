"""Commands as calls of the tools of other programs, so that results can suggest next actions in their terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Call = tuple[str, dict[str, Any]]
    Translation = Callable[[str, Mapping[str, Any], Mapping[str, Any]], Call | None]

_SINGLE_ACTIONS: dict[str, tuple[str, dict[str, str]]] = {
    "snapshot": ("snapshot", {}),
    "screenshot": ("screenshot", {"target": "element_ref", "full_page": "full_page"}),
    "tabs": ("tabs", {}),
    "pages": ("tabs", {}),
    "tab": ("focus", {"name": "target_id"}),
    "tab_new": ("open", {"url": "url"}),
    "goto": ("navigate", {"url": "url"}),
    "session_close": ("close", {}),
    "answer_dialog": ("dialog", {"accept": "accept", "text": "text"}),
}
"""Commands with their action in `single`, and the names of their parameters there."""
_SINGLE_ACTS: dict[str, tuple[str, dict[str, str]]] = {
    "click": ("click", {"target": "element_ref"}),
    "type": ("type", {"target": "element_ref", "text": "text"}),
    "press": ("press_key", {"key": "key", "target": "element_ref"}),
    "hover": ("hover", {"target": "element_ref"}),
    "scroll_to": ("scroll_into_view", {"target": "element_ref"}),
    "focus": ("focus", {"target": "element_ref"}),
}
_DIRECT: dict[str, tuple[str, dict[str, str]]] = {
    "snapshot": ("browser_snapshot", {}),
    "screenshot": ("browser_screenshot", {}),
    "pages": ("browser_list", {}),
    "tabs": ("browser_list", {}),
    "goto": ("browser_navigate", {"url": "url"}),
    "answer_dialog": ("browser_dialog", {"accept": "accept", "text": "text"}),
}
_PLACE = ("browser_url", "target_id")


def _rename_arguments(arguments: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any] | None:
    """The arguments under other names; None if one has no counterpart."""
    if not arguments.keys() <= names.keys():
        return None
    return {names[name]: value for name, value in arguments.items()}


def _in_single(command: str, arguments: Mapping[str, Any], given: Mapping[str, Any]) -> Call | None:
    del given
    action, names = _SINGLE_ACTIONS.get(command, ("", {}))
    if not action:
        kind, names = _SINGLE_ACTS.get(command, ("", {}))
        first = {"action": "act", "act_kind": kind} if kind else None
    else:
        first = {"action": action}
    rest = _rename_arguments(arguments, names)
    return None if first is None or rest is None else ("browser", {**first, **rest})


def _in_direct(command: str, arguments: Mapping[str, Any], given: Mapping[str, Any]) -> Call | None:
    """Its tools take the browser on each call: use the previous one again."""
    tool, names = _DIRECT.get(command, ("", {}))
    rest = _rename_arguments(arguments, names)
    if not tool or rest is None or not given.get("browser_url"):
        return None
    kept = _PLACE[:1] if tool == "browser_list" else _PLACE
    place = {name: given[name] for name in kept if given.get(name) is not None}
    return tool, {**place, **rest}


def _in_named(command: str, arguments: Mapping[str, Any], given: Mapping[str, Any]) -> Call | None:
    """Its tool opens tabs and runs code; it answers a dialog by saying how dialogs are handled."""
    if command != "answer_dialog" or set(arguments) != {"accept"}:
        return None
    name = {"name": given["name"]} if given.get("name") else {}
    return "browser", {"action": "open", **name, "dialogs": "accept" if arguments["accept"] else "dismiss"}


def _nothing(command: str, arguments: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    del command, arguments, given


TRANSLATIONS: dict[str, Translation] = {
    "single": _in_single,
    "direct": _in_direct,
    "named": _in_named,
    "scripted": _nothing,
}
"""By tool set. Those of `scripted` only run code, so they have no counterparts."""

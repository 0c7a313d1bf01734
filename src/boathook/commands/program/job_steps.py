"""Steps of a job: which fields each has, and the command lines that it stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from boathook.commands.input.semantic_action import SemanticFields, check_fields
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.errors import BadRequest
from boathook.similar_words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MOST_DELAYED = 200
"""Characters that are typed with a delay between them."""
LOAD_STATES = ("domcontentloaded", "load", "networkidle")
_LOCATED = ("selector", "locator", "value", "role", "name")
_NUMBERS = ("delayMs", "milliseconds")
FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "open": (("url",), ("loadState",)),
    "click": ((), _LOCATED),
    "fill": (("text",), _LOCATED),
    "type": (("text",), ("selector", "delayMs", "press")),
    "select": ((), (*_LOCATED, "values")),
    "wait": (("milliseconds",), ()),
    "assertText": (("text",), ()),
    "assertUrl": (("url",), ()),
    "waitForDownload": (("path",), ()),
    "screenshot": (("path",), ()),
    "snapshot": ((), ()),
}
"""The fields of each action: those that it needs, and those that it may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledStep:
    """One step and its command lines."""

    number: int
    """From 1."""
    action: str
    lines: tuple[tuple[str, ...], ...]


def compile_step(given: Any, number: int) -> CompiledStep:
    """The command lines of a step; BadRequest names the step and its wrong field."""
    where = f"step {number}"
    if not isinstance(given, dict):
        raise BadRequest(f"{where} must be an object such as {{'action': 'open', 'url': …}}")
    action = _check(given, where)
    lines = _LINES[action](given, where)
    return CompiledStep(number=number, action=action, lines=tuple(lines))


def _check(given: Mapping[str, Any], where: str) -> str:
    """The action of a step whose fields are all known, and of the right type."""
    action = given.get("action")
    if not isinstance(action, str) or action not in FIELDS:
        said = "is missing" if action is None else f"is unknown: {str(action)[:40]!r}"
        hint = did_you_mean(str(action), FIELDS, otherwise=f"use {', '.join(FIELDS)}")
        raise BadRequest(f"{where}: action {said}", hint=hint)
    needed, allowed = FIELDS[action]
    for name, value in given.items():
        if name not in {"action", *needed, *allowed}:
            hint = f"{action} takes {', '.join((*needed, *allowed)) or 'no fields'}"
            raise BadRequest(f"{where}: {action} has no field {str(name)[:40]!r}", hint=hint)
        _check_type(name, value, f"{where}: {name}")
    for name in needed:
        if name not in given:
            raise BadRequest(f"{where}: {action} needs {name}")
    return action


def _check_type(name: str, value: Any, where: str) -> None:
    if name == "values":
        if not isinstance(value, list) or not value or not all(isinstance(part, str) for part in value):
            raise BadRequest(f"{where} must be a list of strings")
    elif name in _NUMBERS:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise BadRequest(f"{where} must be a positive integer")
    elif not isinstance(value, str):
        raise BadRequest(f"{where} must be a string")
    elif name == "loadState" and value not in LOAD_STATES:
        raise BadRequest(f"{where} must be one of {', '.join(LOAD_STATES)}")
    elif name not in {"text", "value"} and not value.strip():
        raise BadRequest(f"{where} is empty")


def _open(given: Mapping[str, Any], where: str) -> list[tuple[str, ...]]:
    del where
    state = ("--wait-until", given["loadState"]) if "loadState" in given else ()
    return [("open", given["url"], *state)]


def _act(given: Mapping[str, Any], where: str) -> list[tuple[str, ...]]:
    """By a selector the action itself, otherwise the strict form."""
    fields = SemanticFields(**{**given, "values": tuple(given.get("values", ()))})
    check_fields(fields, where=where)
    if fields.selector is not None:
        return [(fields.action, fields.selector, *fields.options, *_as_text(fields.text))]
    named = {"role": fields.role, "name": fields.name, "text": fields.text}
    flags = [f"--{name}={value}" for name, value in named.items() if value is not None]
    value = () if fields.value is None else (fields.value,)
    return [
        (
            "do",
            fields.action,
            str(fields.locator),
            *value,
            *flags,
            *(f"--values={text}" for text in fields.values),
        )
    ]


def _as_text(text: str | None) -> tuple[str, ...]:
    """Words that look like options are text after `--`."""
    if text is None:
        return ()
    return ("--", text) if text.startswith("-") else (text,)


def _type(given: Mapping[str, Any], where: str) -> list[tuple[str, ...]]:
    text, delay, selector = given["text"], given.get("delayMs"), given.get("selector")
    if delay is not None and len(text) > MOST_DELAYED:
        raise BadRequest(f"{where}: text is too long for delayMs: at most {MOST_DELAYED} characters")
    seconds = ACTION_SECONDS + len(text) * (delay or 0) / 1_000
    pace = (f"--delay={delay}ms", f"--timeout={seconds:g}s") if delay is not None else ()
    to = ("keyboard", "type") if selector is None else ("type", selector)
    key = given.get("press")
    pressed = [("press", key, *(() if selector is None else (selector,)))] if key is not None else []
    return [(*to, *pace, *_as_text(text)), *pressed]


def _assert_url(given: Mapping[str, Any], where: str) -> list[tuple[str, ...]]:
    """A whole URL, or a glob; a part of a URL would also match others."""
    url = given["url"]
    if "*" in url:
        return [("wait", "--url", url)]
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if not parts.scheme:
        raise BadRequest(f"{where}: url must be a whole URL or a glob such as **/done")
    bare = parts.path in {"", "/"} and not parts.query and not parts.fragment
    return [("wait", "--url", rf"re:\A{re.escape(url.rstrip('/') if bare else url)}{'/?' if bare else ''}\Z")]


_LINES: dict[str, Callable[[Mapping[str, Any], str], list[tuple[str, ...]]]] = {
    "open": _open,
    "click": _act,
    "fill": _act,
    "type": _type,
    "select": _act,
    "wait": lambda given, _where: [("wait", f"{given['milliseconds']}ms")],
    "assertText": lambda given, _where: [("wait", "--text", given["text"])],
    "assertUrl": _assert_url,
    "waitForDownload": lambda given, _where: [("wait", "--download", given["path"])],
    "screenshot": lambda given, _where: [("screenshot", given["path"])],
    "snapshot": lambda _given, _where: [("snapshot",)],
}

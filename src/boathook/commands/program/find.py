"""`find`: locate an element by role, text, label … and act on it, in the syntax of other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from boathook.commands.input import act
from boathook.commands.pages import get
from boathook.effects import Effect
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.engine.tab import Tab
from boathook.errors import BadRequest
from boathook.hints import mark_line
from boathook.registry.invoke import invoke
from boathook.registry.parameters import Timeout, presses_keys
from boathook.registry.registry import Doc, FreeText, command
from boathook.similar_words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

By = Literal["role", "text", "label", "placeholder", "alt", "title", "testid", "first", "last", "nth"]
_ACTIONS: dict[str, tuple[Callable[..., Awaitable[Any]], str]] = {
    "click": (act.click, "click"),
    "dblclick": (act.click, "click"),
    "check": (act.check, "fill"),
    "uncheck": (act.uncheck, "fill"),
    "hover": (act.hover, "interact"),
    "focus": (act.focus, "interact"),
    "select": (act.select, "fill"),
    "fill": (act.fill, "fill"),
    "type": (act.type, "fill"),
    "text": (get.get_text, "get"),
}
"""Each action with its handler and its category in policies."""
_WITH_TEXT = {"fill": "text", "type": "text", "select": "an option"}
"""Actions that need more words, and what those are."""


def _category_of_find(arguments: Mapping[str, Any]) -> str:
    words = list(arguments.get("words") or ())[1 if arguments.get("by") == "nth" else 0 :]
    return _ACTIONS.get(str(words[0]) if words else "click", (None, "interact"))[1]


def _target_of_find(arguments: Mapping[str, Any]) -> tuple[str, int | None] | None:
    """The element of a call; None if the line is wrong, or the page has to be asked for the last match."""
    by, rest = arguments["by"], list(arguments.get("words") or ())
    try:
        found = _build_selector(
            by,
            arguments["value"],
            rest,
            name=arguments.get("name"),
            exact=bool(arguments.get("exact")),
        )
    except BadRequest:
        return None
    return found if by != "last" else None


@command(
    secrets=("words",),
    group="act",
    cli_only=True,
    effect=Effect.ACTS,
    may_navigate=True,
    types_into="focus",
    category=_category_of_find,
    side_effects_when=presses_keys,
    target_of=_target_of_find,
    core=True,
    examples=(
        "find role button click --name Save",
        "find label Email fill ada@example.org",
        "find label Country select France",
        "find text 'Sign in'",
        "find nth 2 .card click",
    ),
)
async def find(
    tab: Tab,
    by: Annotated[By, Doc("how to find the element")],
    value: Annotated[
        str, Doc("role, text, label …; for nth: an index from 0; for first and last: a selector")
    ],
    *words: Annotated[
        str,
        Doc(f"for nth: the selector; then the action ({', '.join(_ACTIONS)}); then text or options"),
        FreeText(),
    ],
    name: Annotated[str | None, Doc("with role: the accessible name")] = None,
    exact: Annotated[bool, Doc("match the whole text")] = False,
    timeout: Timeout = ACTION_SECONDS,
) -> Any:
    """Find an element by role, text, label, … and act on it. Several matches are an error that lists them.

    `first`, `last` and `nth` count all matches, as `get count` does, hidden ones too.
    """
    rest = list(words)
    target, nth = _build_selector(by, value, rest, name=name, exact=exact)
    action = rest.pop(0) if rest else "click"
    if action not in _ACTIONS:
        raise _unknown_action(by, value, words, name=name)
    if not rest and action in _WITH_TEXT:
        raise BadRequest(
            f"find: {action} requires {_WITH_TEXT[action]}",
            hint="for example `find label Email fill ada@example.org`",
        )
    if rest and action not in _WITH_TEXT:
        raise _unexpected_words(by, value, words, rest, name=name)
    if by == "last":
        nth = max(0, await invoke(get.get_count, tab, target, timeout=timeout) - 1)
    handler, _ = _ACTIONS[action]
    more: tuple[str, ...] = tuple(rest) if action == "select" else (" ".join(rest),) if rest else ()
    named: dict[str, Any] = {"count": 2} if action == "dblclick" else {}
    return await invoke(handler, tab, target, *more, nth=nth, timeout=timeout, **named)


def _build_selector(
    by: By, value: str, rest: list[str], *, name: str | None, exact: bool
) -> tuple[str, int | None]:
    if by == "nth":
        if value in {"first", "last"} and rest:
            raise BadRequest(
                f"find nth: invalid index: {value!r}", hint=_line(by=value, value=rest[0], words=rest[1:])
            )
        if not value.isdigit() or not rest:
            wrong = f"find nth: invalid index: {value!r}" if rest else "find nth needs a selector"
            raise BadRequest(wrong, hint="an index from 0 and a selector: `find nth 2 .card click`")
        return rest.pop(0), int(value)
    if by in {"first", "last"}:
        return value, 0
    mark = '"' if exact else ""
    if by == "role":
        return (f'role={value}[name="{name}"{" exact" if exact else ""}]' if name else f"role={value}"), None
    return f"{by}={mark}{value}{mark}", None


def _unknown_action(by: By, value: str, words: tuple[str, ...], *, name: str | None) -> BadRequest:
    """Words of an unquoted text stand where the action belongs."""
    used = 1 if by == "nth" else 0
    wrong = f"find: unknown action: {words[used]!r}"
    if near := did_you_mean(words[used], _ACTIONS, cutoff=0.75):
        return BadRequest(wrong, hint=near)
    at = next((at for at, word in enumerate(words) if at > used and word in _ACTIONS), len(words))
    text, action = " ".join(words[used:at]), list(words[at : at + 1])
    if action and action[0] in _WITH_TEXT:
        action.append("TEXT")  # what is typed may be secret
    listed = f"use {', '.join(_ACTIONS)}"
    if by == "role" and name is None:
        line = _line(by=by, value=value, words=action or ["click"], name=text)
        return BadRequest(wrong, hint=f"{listed}; with a name: {line}" if line else listed)
    if by == "role":
        line = _line(by=by, value=value, words=action or ["click"], name=f"{name} {text}")
        return BadRequest(wrong, hint=f"quote arguments with spaces: {line}" if line else listed)
    if by not in {"first", "last", "nth"} and action:
        line = _line(by=by, value=f"{value} {text}", words=action, name=name)
        return BadRequest(wrong, hint=f"quote arguments with spaces: {line}" if line else listed)
    return BadRequest(wrong, hint=listed)


def _unexpected_words(
    by: By, value: str, words: tuple[str, ...], rest: list[str], *, name: str | None
) -> BadRequest:
    """Words after an action that takes none: the rest of an unquoted name, most likely."""
    wrong = f"find: unexpected argument: {rest[0]!r}"
    if name is None or any(word.startswith("-") for word in rest):
        return BadRequest(wrong, hint="`find --help` shows the syntax")
    line = _line(by=by, value=value, words=words[: len(words) - len(rest)], name=" ".join([name, *rest]))
    return BadRequest(wrong, hint=f"quote arguments with spaces: {line}" if line else "")


def _line(*, by: str, value: str, words: list[str] | tuple[str, ...], name: str | None = None) -> str:
    """A corrected line as a marked part of a hint; empty if it has the marks in it."""
    named = ["--name", name] if name else []
    return mark_line(["find", by, value, *words, *named])

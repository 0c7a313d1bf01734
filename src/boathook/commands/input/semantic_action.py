"""Semantic actions: an action on the one visible element that has a role, label or text; which fields go together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, get_args

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Iterator

Action = Literal["click", "fill", "check", "uncheck", "select"]
Locator = Literal["role", "text", "label", "placeholder", "alt", "title", "testid"]
SELECT_ROLES = ("combobox", "listbox")
SELECT_LOCATORS = ("role", "label")


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticFields:
    """The fields of one semantic action, as they were given."""

    action: Action
    locator: Locator | None = None
    value: str | None = None
    values: tuple[str, ...] = ()
    selector: str | None = None
    text: str | None = None
    role: str | None = None
    name: str | None = None

    @property
    def options(self) -> tuple[str, ...]:
        """What a select chooses."""
        return self.values or ((self.value,) if self.selector is not None and self.value else ())

    @property
    def target(self) -> str:
        """The element: a whole text that ignores case and the amount of space, never a part of it."""
        if self.selector is not None:
            return self.selector
        wanted = _plain(self.role or self.value or "")
        if self.locator == "role":
            return f'role={wanted}[name="{_plain(self.name)}" i]' if self.name else f"role={wanted}"
        return f'{self.locator}="{wanted}"{"" if self.locator == "testid" else " i"}'

    def line(self, text: str | None = None) -> tuple[str, ...]:
        """The same as a line of `find`, or of the action itself; `text` is shown in place of what is typed."""
        typed = () if self.text is None else (self.text if text is None else text,)
        if self.selector is not None:
            return (self.action, self.selector, *self.options, *typed)
        named = ("--name", self.name) if self.name else ()
        wanted = self.role or self.value or ""
        return ("find", str(self.locator), wanted, self.action, *self.options, *typed, *named)


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())


def check_fields(given: SemanticFields, *, where: str) -> SemanticFields:
    """The fields, if they go together; BadRequest names the first field that does not."""
    wrong = next(chain(_wrong_action(given), _wrong_target(given), _wrong_options(given)), None)
    if wrong is not None:
        raise BadRequest(f"{where}: {wrong}", hint="for example `do click role button --name Save`")
    return given


def _wrong_action(given: SemanticFields) -> Iterator[str]:
    if given.action not in get_args(Action):
        yield f"action must be one of {', '.join(get_args(Action))}"
    if given.locator is not None and given.locator not in get_args(Locator):
        yield f"locator must be one of {', '.join(get_args(Locator))}"
    if given.action == "fill" and given.text is None:
        yield "fill needs text"
    if given.action != "fill" and given.text is not None:
        yield f"text is only for fill, not for {given.action}"


def _wrong_target(given: SemanticFields) -> Iterator[str]:
    if given.selector is not None:
        yield from _wrong_with_selector(given)
        return
    if given.locator is None:
        yield "locator is missing: pass locator and value, or selector"
    for name in ("role", "name"):
        if given.locator != "role" and getattr(given, name) is not None:
            yield f"{name} is only for locator role, not for locator {given.locator}"
    if given.role is not None and given.value is not None and _plain(given.role) != _plain(given.value):
        yield "role and value differ: with locator role they mean the same"
    if not _plain(given.role or given.value):
        yield f"value is empty: it is the {given.locator} to look for"
    if given.name is not None and not _plain(given.name):
        yield "name is empty"


def _wrong_with_selector(given: SemanticFields) -> Iterator[str]:
    if not (given.selector or "").strip():
        yield "selector is empty"
    for name in ("locator", "role", "name"):
        if getattr(given, name) is not None:
            yield f"{name} and selector are mutually exclusive"
    if given.value is not None and given.action != "select":
        yield "value and selector are mutually exclusive, except for select"


def _wrong_options(given: SemanticFields) -> Iterator[str]:
    if given.action != "select":
        if given.values:
            yield f"values is only for select, not for {given.action}"
    elif given.selector is not None:
        if given.value is not None and given.values:
            yield "value and values are mutually exclusive with a selector"
        if not given.options:
            yield "select needs value or values: the options"
    else:
        yield from _wrong_for_select(given)


def _wrong_for_select(given: SemanticFields) -> Iterator[str]:
    if given.locator not in SELECT_LOCATORS:
        yield f"locator {given.locator} is not for select: use role or label"
    if given.locator == "role" and _plain(given.role or given.value) not in SELECT_ROLES:
        yield f"role must be {' or '.join(SELECT_ROLES)} for select"
    if given.locator == "role" and given.name is None:
        yield "name is missing: select with locator role needs it"
    if not given.values:
        yield "values is missing: the options to select"

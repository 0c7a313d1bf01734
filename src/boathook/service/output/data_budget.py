"""Data within a budget: long data is shortened from the inside, so that it stays valid JSON."""

from __future__ import annotations

import json
from typing import Any

LEFT_OUT = "…"
LEAST_TEXT = 20
"""Characters of a string that still show what it is about."""
ROUNDS = 24


def within(data: Any, characters: int) -> tuple[Any, bool]:
    """The data, shortened until its JSON has at most that many characters, and whether anything was omitted.

    Strings are shortened first, then lists and objects; data that cannot be made small enough becomes null.
    """
    if len(_to_json(data)) <= characters:
        return data, False
    text, items = max(LEAST_TEXT, characters), max(1, characters)
    for _ in range(ROUNDS):
        made = _shorter(data, text=text, items=items)
        if len(_to_json(made)) <= characters:
            return made, True
        if text > LEAST_TEXT:
            text = max(LEAST_TEXT, text // 2)
        else:
            items = max(1, items // 2)
    return None, True


def within_each(facts: dict[str, Any], characters: int) -> dict[str, Any]:
    """The facts, each with at most that many characters of JSON; `shortened` then names those that are not complete.

    Lists lose items from their end, so that what remains of them is whole.
    """
    made, shortened = {}, []
    for name, fact in facts.items():
        fitting = _first_items(fact, characters) if isinstance(fact, list) else fact
        made[name], was_cut = within(fitting, characters)
        if was_cut or made[name] != fact:
            shortened.append(name)
    return made | ({"shortened": shortened} if shortened else {})


def _first_items(items: list[Any], characters: int) -> list[Any]:
    kept, used = 0, 0
    for item in items:
        used += len(_to_json(item)) + len(", ")
        if used > characters - len("[]"):
            break
        kept += 1
    return items[: max(1, kept)]


def bounded(data: Any, characters: int) -> Any:
    """The data with each of its strings cut to that many characters; nothing else is omitted."""
    if isinstance(data, str):
        return data if len(data) <= characters else data[: characters - 1] + LEFT_OUT
    if isinstance(data, dict):
        return {bounded(name, characters): bounded(part, characters) for name, part in data.items()}
    if isinstance(data, list | tuple):
        return [bounded(part, characters) for part in data]
    return data


def _to_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, default=str)


def _shorter(data: Any, *, text: int, items: int) -> Any:
    if isinstance(data, str):
        return data if len(data) <= text else data[: text - 1] + LEFT_OUT
    if isinstance(data, dict):
        kept = list(data.items())[:items]
        return {name: _shorter(part, text=text, items=items) for name, part in kept}
    if isinstance(data, list):
        return [_shorter(part, text=text, items=items) for part in data[:items]]
    return data

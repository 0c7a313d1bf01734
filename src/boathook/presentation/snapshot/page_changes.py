"""What an action changed on the page, as lines: elements, text, attributes, most important first.

Text is taken from what the page shows (see `page_scripts/changes.js`); a line of it is omitted when all its words are
in lines of elements that are listed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from boathook.presentation.quoting import quote
from boathook.presentation.snapshot.fold import refs_in
from boathook.presentation.snapshot.outline import depth_of
from boathook.presentation.snapshot.snapshot_diff import compare, keys_in, label_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.engine.actions.changes import Changes, TextChange
    from boathook.presentation.snapshot.snapshot_diff import Change

MOVED_SHOWN = 3
RENEWED_SHOWN = 40
_REFERENCE = re.compile(
    r" aria-(activedescendant|controls|owns|labelledby|describedby|details|flowto|errormessage)="
    r"|\[open\]|^[+-] img\Z"
)
"""Attributes that hold ids, states that show in the content, decoration: reported only if nothing else changed."""
_HELD = re.compile(
    r' = "(?:[^"\\]|\\.)*"| options="(?:[^"\\]|\\.)*"|\b(?:checked|pressed|selected)(?:=\w+)?\b|[\[\] ]'
)
"""The value of a field in its line."""
_HELD_FACT = re.compile(r"@e[0-9]+ (?:= |has another value|options=|\[|aria-(?:checked|pressed|selected)=)")
_WORD = re.compile(r"\w+")
_REF = re.compile(r" @e[0-9]+(?= |\Z)")
_PRIVATE = re.compile(r"\x01[0-9]+\x01")
_LABELS = re.compile(r'\x01[0-9]+\x01("(?:[^"\\]|\\.)*")?')
_ADDED = re.compile(r"[+~] (.*?)(?: \(was .*)?\Z")
_WAS = re.compile(r"~ .* \(was (.*)\)\Z")


def page_lines(changes: Changes, *, said: str = "") -> list[str]:
    """Everything that changed; `said` is the ref of the element whose value is in the first line of the report."""
    before, renewed = _with_new_refs(_lines(changes.before), _lines(changes.after))
    change = compare(before, _lines(changes.after))
    urgent = change.urgent_lines
    # The head line has told already what the element itself holds now.
    told_by_head = said and not _differs_besides(said, before, _lines(changes.after))
    other = [
        line
        for line in change.other_lines
        if not (told_by_head and line.startswith("~") and f" {said} " in f"{line} ")
    ]
    told = [*urgent, *other]
    urgent_texts, texts = _text_lines(changes.texts, told)
    facts = _new_facts(changes, told, said)
    lines = [
        *urgent_texts,
        *urgent,
        *(fact for fact in facts if not _REFERENCE.search(fact)),
        *other,
        *texts,
        *_list_removals(changes, change),
        *_format_moves(changes, before),
        *_list_redraws(renewed),
    ]
    return lines or facts or _unseen(changes)


def _unseen(changes: Changes) -> list[str]:
    """Off-screen text, such as messages for screen readers: reported if nothing else is."""
    urgent, other = _text_lines(changes.unseen_texts, [])
    return [*urgent, *other, *(f"- text {quote(text)}" for text in changes.unseen_gone)]


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in _WORD.findall(text.lower()))


def _text_lines(texts: Iterable[TextChange], told: list[str]) -> tuple[list[str], list[str]]:
    """Added text that no listed line contains, in live regions and elsewhere."""
    added = _words(match.group(1) for line in told if (match := _ADDED.match(line)))
    removed = _words(match.group(1) for line in told if (match := _WAS.match(line)))
    urgent, other = [], []
    for text in texts:
        now, was = _words([text.now]), _words([text.was])
        came, went = now - was, was - now
        known, wanted = (added, came) if came else (removed, went)
        if wanted and not wanted - known:
            known -= wanted
            continue
        if text.place:
            urgent += [f"in {text.place}:", f"+ {quote(text.now)}"]
            continue
        was_shown = f" (was {quote(text.was)})" if text.was and not came else ""
        other.append(f"{'~' if text.was else '+'} text {quote(text.now)}{was_shown}")
    return list(dict.fromkeys(urgent)), other


def _list_removals(changes: Changes, change: Change) -> list[str]:
    """Removed text; text that was removed with a listed element is covered by it."""
    removed = _words(change.removed_lines)
    held = _holds_others(change)
    lines = []
    for text in changes.gone_texts:
        words = _words([text])
        if held or (words and not words - removed):
            removed -= words
            continue
        lines.append(f"- text {quote(text)}")
    return lines


def _holds_others(change: Change) -> bool:
    """Whether a container was removed, and so its text."""
    return len(change.removed_lines) > sum(len(block) for block in change.removed_blocks) or any(
        line.startswith(("- dialog", "- listitem", "- row", "- article", "- group", "- list"))
        for block in change.removed_blocks
        for line in block
    )


def _new_facts(changes: Changes, told: list[str], said: str) -> list[str]:
    """Attributes and values that no listed line shows."""
    shown = {ref for line in told for ref in refs_in(line.rstrip(":"))}
    return [
        line
        for line in changes.facts
        if not shown.intersection(refs_in(line))
        and not any(_is_about(line, other) for other in told)
        and not (said and f" {said} " in line and _HELD_FACT.search(line))
    ]


def _differs_besides(said: str, before: list[str], after: list[str]) -> bool:
    """Whether the line of an element has news besides its value, such as that it is invalid."""
    was, now = ([line.strip() for line in lines if f" {said} " in f"{line} "] for lines in (before, after))
    if not was or not now:
        return False
    return _HELD.sub("", was[0]) != _HELD.sub("", now[0])


def _is_about(fact: str, line: str) -> bool:
    """Whether a listed line without a ref shows the element of a fact: it has the same role and name."""
    return not refs_in(line) and f"{line} ".startswith(f"{_REF.split(fact)[0]} ")


def _with_new_refs(before: list[str], after: list[str]) -> tuple[list[str], list[str]]:
    """The old lines with the refs of the same content now, where the page re-rendered it; and those lines."""
    kept, current = set(before), set(after)
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, path in enumerate(_paths(before)):
        if before[index] not in current:
            places[path].append(index)
    result, renewed = list(before), []
    for line, path in zip(after, _paths(after), strict=True):
        if line in kept or not places[path]:
            continue
        result[places[path].pop(0)] = line
        if refs_in(line):
            renewed.append(label_line(line))
    return result, renewed


def _paths(lines: list[str]) -> list[tuple[str, ...]]:
    """For each line, itself and its ancestors, without refs; ancestors without their text."""
    paths: list[tuple[str, ...]] = []
    above: list[str] = []
    for line in lines:
        depth = depth_of(line)
        paths.append((*above[:depth], *_without_refs([line])))
        above[depth:] = [_LABELS.sub("", _REF.sub("", line))]
    return paths


def _list_redraws(renewed: list[str]) -> list[str]:
    """What was re-rendered with the same content: a line for each outermost element, with its children."""
    groups: list[list[str]] = []
    for line in renewed[:RENEWED_SHOWN]:
        if groups and depth_of(line) > depth_of(groups[-1][0]):
            groups[-1].append(line)
        else:
            groups.append([line])
    shown = [
        f"{first.strip()}: {', '.join(map(str.strip, rest))}" if rest else first.strip()
        for first, *rest in groups
    ]
    more = len(renewed) - RENEWED_SHOWN
    if more > 0:
        shown.append(f"… {more} more; take a snapshot to see them")
    if len(shown) <= 1:
        return [f"new refs: {shown[0]}"] if shown else []
    return ["new refs:", *(f"  {line}" for line in shown)]


def _format_moves(changes: Changes, before: list[str]) -> list[str]:
    """What is in another order than before, by its text, else by its ref."""
    if changes.moved_texts:
        lines = [
            f"moved: {quote(text.now)} after {quote(text.was)}"
            if text.was
            else f"moved: {quote(text.now)} to the top"
            for text in changes.moved_texts
        ]
    else:
        lines = [f"moved: {line}" for line in _find_moved_lines(before, _lines(changes.after))]
    if len(lines) <= MOVED_SHOWN + 1:
        return lines
    return [*lines[:MOVED_SHOWN], f"moved: {len(lines) - MOVED_SHOWN} more lines"]


def _find_moved_lines(before: list[str], after: list[str]) -> list[str]:
    places = {key: index for index, line in enumerate(before) for key in keys_in(line)}
    kept = [(places[key], line) for line in after for key in keys_in(line) if key in places]
    if _without_refs(line for _, line in kept) == _without_refs(
        before[place] for place in sorted(dict(kept))
    ):
        return []  # equal things that changed places look the same
    stay = _longest_rising([place for place, _ in kept])
    return [label_line(line).strip() for index, (_, line) in enumerate(kept) if index not in stay]


def _without_refs(lines: Iterable[str]) -> list[str]:
    return [_PRIVATE.sub("", _REF.sub("", line)) for line in lines]


def _longest_rising(numbers: list[int]) -> set[int]:
    """Indexes of the longest increasing subsequence: what need not have moved."""
    tails: list[int] = []
    values: list[int] = []
    previous: list[int] = []
    for index, number in enumerate(numbers):
        at = bisect_left(values, number)
        previous.append(tails[at - 1] if at else -1)
        tails[at:], values[at:] = [index, *tails[at + 1 :]], [number, *values[at + 1 :]]
    stay: set[int] = set()
    place = tails[-1] if tails else -1
    while place >= 0:
        stay.add(place)
        place = previous[place]
    return stay

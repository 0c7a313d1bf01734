"""Refs: session-wide numbers for DOM nodes, assigned in ranges so that no work is done per node."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from boathook.errors import StaleRef
from boathook.values import Ref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.page.frames import World

REF_IN_LINE = re.compile(r'^( *[^\s"@]+(?: ~?"(?:[^"\\]|\\.)*")? @e)([0-9]+)', re.MULTILINE)
"""A line's own ref: after its role and name, so that a page cannot forge one in its text."""


class RefTable:
    """Which node each ref means. Pages number their own nodes; the table maps ranges of those numbers."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._worlds: list[tuple[World, int, int]] = []  # world, first local id, how many
        self.next = 1

    def adopt(self, world: World, *, first: int, after_last: int) -> None:
        """Assign refs to the local ids `first` up to (not including) `after_last` of a world."""
        count = after_last - first
        if first <= 0 or count <= 0:
            return
        number = self.next
        self._starts.append(number)
        self._worlds.append((world, first, count))
        world.ranges.append((first, count, number))
        self.next = number + count

    def find(self, ref: Ref) -> tuple[World, int] | None:
        """The world and local id of a ref; None if the number was never assigned."""
        index = bisect_right(self._starts, ref.number) - 1
        if index < 0:
            return None
        world, first, count = self._worlds[index]
        offset = ref.number - self._starts[index]
        return (world, first + offset) if offset < count else None

    @staticmethod
    def ref_of(world: World, local_id: int) -> Ref | None:
        """The ref of a world's local id."""
        for first, count, number in world.ranges:
            if first <= local_id < first + count:
                return Ref(number + local_id - first)
        return None

    def in_session_numbers(self, world: World, text: str) -> str:
        """Rewrite a world's lines to refs; usually nothing to do, since worlds start to number where refs stand."""
        if all(first == number for first, _count, number in world.ranges):
            return text

        def renumber(match: re.Match[str]) -> str:
            ref = self.ref_of(world, int(match.group(2)))
            return match.group(1) + str(ref.number if ref else match.group(2))

        return REF_IN_LINE.sub(renumber, text)


def unknown_ref(ref: Ref) -> StaleRef:
    """A number that was never assigned in this session: of another session, or of one that was replaced."""
    return StaleRef(f"no such ref in this session: {ref}", ref=str(ref))


def foreign_ref(ref: Ref) -> StaleRef:
    """A ref of another tab."""
    return StaleRef(
        f"{ref} belongs to another tab",
        ref=str(ref),
        hint="switch to that tab|: `tab NAME`|, or take a snapshot of this one",
    )


def gone_ref(ref: Ref) -> StaleRef:
    """A ref whose element was removed after it was found."""
    return StaleRef(f"{ref} is no longer on the page", ref=str(ref))


def stale_ref(ref: Ref, was: str, *, why: str, candidates: Sequence[str] | None = None) -> StaleRef:
    """A ref whose document or element no longer exists; `was` describes its element."""
    known: dict[str, Any] = {} if candidates is None else {"candidates": list(candidates)}
    return StaleRef(f"{was} is stale: {why}", ref=str(ref), **known)

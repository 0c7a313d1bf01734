"""Mouse paths between two points: straight, or curved and eased like a human's; the same seed gives the same path."""

from __future__ import annotations

import math
from random import Random

Point = tuple[float, float]

FRAME_MS = 16
LONGEST_MS = 10_000
BEND = 0.2
"""Largest deviation from the straight line, as a share of the distance."""


def steps_for(steps: int | None, duration_ms: float) -> int:
    """Number of moves: as requested, otherwise one for each frame of the screen."""
    return steps if steps is not None else max(1, math.ceil(duration_ms / FRAME_MS))


def hand_ms(start: Point, end: Point) -> float:
    """Duration of a human-like movement: longer for a longer distance, but not in proportion."""
    return min(900.0, 120.0 + 22.0 * math.sqrt(math.dist(start, end)))


def straight(start: Point, end: Point, steps: int) -> list[Point]:
    """Points at equal distances, including the end."""
    return [_mixed(start, end, step / steps) for step in range(1, steps + 1)]


def eased(start: Point, end: Point, steps: int) -> list[Point]:
    """Points on the straight line, eased in and out."""
    return [_mixed(start, end, _eased(step / steps)) for step in range(1, steps + 1)]


def by_hand(start: Point, end: Point, steps: int, seed: int | None) -> list[Point]:
    """Points on a curve, eased in and out."""
    chance = Random(seed)  # noqa: S311 - not used for security
    first, second = (_astray(start, end, share, chance) for share in (0.3, 0.7))
    points = [_bent(start, first, second, end, _eased(step / steps)) for step in range(1, steps)]
    return [*points, end]


def _astray(start: Point, end: Point, share: float, chance: Random) -> Point:
    """A point beside the straight line."""
    x, y = _mixed(start, end, share)
    off = chance.uniform(-BEND, BEND)
    return x - (end[1] - start[1]) * off, y + (end[0] - start[0]) * off


def _bent(start: Point, first: Point, second: Point, end: Point, share: float) -> Point:
    """A cubic Bézier curve, by halving its control points."""
    one, two, three = _mixed(start, first, share), _mixed(first, second, share), _mixed(second, end, share)
    return _mixed(_mixed(one, two, share), _mixed(two, three, share), share)


def _eased(share: float) -> float:
    return share * share * (3 - 2 * share)


def _mixed(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share

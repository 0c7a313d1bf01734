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


def human_duration_ms(start: Point, end: Point) -> float:
    """Duration of a human-like movement: longer for a longer distance, but not in proportion."""
    return min(900.0, 120.0 + 22.0 * math.sqrt(math.dist(start, end)))


def straight_path(start: Point, end: Point, steps: int) -> list[Point]:
    """Points at equal distances, including the end."""
    return [_interpolate(start, end, step / steps) for step in range(1, steps + 1)]


def eased_path(start: Point, end: Point, steps: int) -> list[Point]:
    """Points on the straight line, eased in and out."""
    return [_interpolate(start, end, _ease(step / steps)) for step in range(1, steps + 1)]


def human_path(start: Point, end: Point, steps: int, seed: int | None) -> list[Point]:
    """Points on a curve, eased in and out."""
    chance = Random(seed)  # noqa: S311 - not used for security
    first, second = (_random_offset(start, end, share, chance) for share in (0.3, 0.7))
    points = [_bezier_point(start, first, second, end, _ease(step / steps)) for step in range(1, steps)]
    return [*points, end]


def _random_offset(start: Point, end: Point, share: float, chance: Random) -> Point:
    """A point beside the straight line."""
    x, y = _interpolate(start, end, share)
    off = chance.uniform(-BEND, BEND)
    return x - (end[1] - start[1]) * off, y + (end[0] - start[0]) * off


def _bezier_point(start: Point, first: Point, second: Point, end: Point, share: float) -> Point:
    """A cubic Bézier curve, by halving its control points."""
    rest, two, three = (
        _interpolate(start, first, share),
        _interpolate(first, second, share),
        _interpolate(second, end, share),
    )
    return _interpolate(_interpolate(rest, two, share), _interpolate(two, three, share), share)


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


def _interpolate(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share

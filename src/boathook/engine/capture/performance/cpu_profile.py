"""CPU profiles: which functions of a page's scripts took the time, as a .cpuprofile file."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from boathook.engine.capture.cdp_streams import place_for, write_whole
from boathook.errors import BadRequest, ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from boathook.cdp.cdp_session import CdpSession
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

SAMPLE_MICROSECONDS = 500
MOST_FUNCTIONS = 10
_IDLE = {"(root)", "(idle)", "(program)"}
_running: WeakKeyDictionary[Tab, CdpSession] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, kw_only=True)
class BusyFunction:
    """A function and its self time."""

    name: str
    place: str
    milliseconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFile:
    """A profile that was written, and its top functions."""

    path: Path
    seconds: float
    samples: int
    size: int
    busiest: tuple[BusyFunction, ...] = ()


async def start_profile(tab: Tab, *, microseconds: int = SAMPLE_MICROSECONDS, deadline: Deadline) -> None:
    """Sample the tab's scripts at that interval."""
    if _running.get(tab) is tab.session:
        raise BadRequest("a profile of this tab is already running", hint="stop it first|: `profiler stop`")
    async with deadline.stage("starting the profiler"):
        await tab.session.send("Profiler.enable")
        await tab.session.send("Profiler.setSamplingInterval", interval=microseconds)
        await tab.session.send("Profiler.start")
    _running[tab] = tab.session


async def stop_profile(tab: Tab, path: Path | None, *, deadline: Deadline) -> ProfileFile:
    """Stop the profile and write it."""
    session = _running.get(tab)
    if session is None:
        raise BadRequest("no profile is running in this tab", hint="start one first|: `profiler start`")
    target = place_for(tab, path, "profiles", ".cpuprofile")
    del _running[tab]
    try:
        async with deadline.stage("reading the profile"):
            profile = (await session.send("Profiler.stop"))["profile"]
            await session.send("Profiler.disable")
    except ProtocolError as error:
        raise BadRequest(
            f"the profile was lost because the page was replaced: {error.text}",
            hint="start one first|: `profiler start`",
        ) from error
    redactor = tab.redactor()
    profile = {**profile, "nodes": [_clean_node(node, redactor.text) for node in profile["nodes"]]}
    data = await asyncio.to_thread(
        lambda: redactor.literals(json.dumps(profile, separators=(",", ":"))).encode("utf-8", "replace")
    )
    size = await asyncio.to_thread(write_whole, target, data)
    return ProfileFile(
        path=target,
        seconds=round((profile["endTime"] - profile["startTime"]) / 1e6, 3),
        samples=len(profile.get("samples", ())),
        size=size,
        busiest=_busiest(profile),
    )


def _clean_node(node: dict[str, Any], clean: Callable[[str], str]) -> dict[str, Any]:
    """URLs of scripts may contain a token."""
    frame = node["callFrame"]
    url = str(frame.get("url", ""))
    return {**node, "callFrame": {**frame, "url": clean(url)}} if "?" in url else node


def _busiest(profile: dict[str, Any]) -> tuple[BusyFunction, ...]:
    spent: dict[int, int] = {}
    for node, microseconds in zip(profile.get("samples", ()), profile.get("timeDeltas", ()), strict=False):
        spent[node] = spent.get(node, 0) + microseconds
    by_function: dict[tuple[str, str], int] = {}
    for node in profile["nodes"]:
        frame = node["callFrame"]
        name = frame.get("functionName") or "(anonymous)"
        place = f"{frame['url']}:{frame['lineNumber'] + 1}" if frame.get("url") else ""
        if name not in _IDLE:
            by_function[name, place] = by_function.get((name, place), 0) + spent.get(node["id"], 0)
    most = sorted(by_function.items(), key=lambda pair: -pair[1])[:MOST_FUNCTIONS]
    return tuple(
        BusyFunction(name=name, place=place, milliseconds=round(took / 1_000, 1))
        for (name, place), took in most
        if took > 0
    )

"""Which elements listen: asked in the page's own world, where listeners and the handlers of frameworks can be seen.

Before the first snapshot of a document Chromium is asked whether anything listens at all, later only if the number of
listeners in the page's process is another one, and each eighth time anyway: a listener that goes while another comes leaves
the number as it was. Once something listens, a probe runs before each walk and its answer is passed along. It asks all
elements if the number is another one; otherwise those that are new and an eighth of the rest. So a listener that is added is
known in the next snapshot, and one that was removed, or came while another went, at the latest in the eighth one.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.replies import ignore_reply
from boathook.engine.page_scripts import page_script
from boathook.errors import BoathookError, ProtocolError

if TYPE_CHECKING:
    from boathook.engine.page.frames import Frame, World
    from boathook.engine.tab import Tab

PROBE_SECONDS = 1.0
"""How long a probe may take; a snapshot without its answer is better than a late one."""
PROBE_MS = 400
"""How long the script itself may run."""
TURNS = 8
"""How often nothing is asked because the number of listeners has not changed."""
UNKNOWN = -1
LAST_VALUE = "console"
"""The object group whose last value the command line API calls `$_`: a way to keep the probe that no page can see."""
LONGEST_ANSWER = 1_000_000
ACTING_TYPES = frozenset(
    [
        "click",
        "dblclick",
        "mousedown",
        "mouseup",
        "pointerdown",
        "pointerup",
        "touchstart",
        "touchend",
        "contextmenu",
        "dragstart",
        "drop",
        "keydown",
    ]
)


def can_probe(tab: Tab, frame: Frame) -> bool:
    """Whether the page's world of a frame is probed; under stealth `full` nothing of ours runs there."""
    return tab.console.unasked and tab.frames.is_process_root(frame)


def count_listeners(world: World) -> asyncio.Future[dict[str, Any]]:
    """Ask how many listeners there are in the process of a page, those of other documents and removed ones included."""
    counting = world.frame.session.post("Memory.getDOMCounters")
    ignore_reply(counting)
    return counting


async def anything_listens(world: World, counting: asyncio.Future[dict[str, Any]]) -> bool:
    """Whether an element or the document has a listener for input that a pointer or a drag causes."""
    heard = world.heard
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            finding = _find_document(world)
            count = await _read_count(counting)
            heard.turn += 1
            if count != UNKNOWN and count == heard.count and heard.turn < TURNS:
                return False
            heard.turn = 0
            heard.count = count
            if finding is not None:
                world.page_document = (await finding)["result"].get("objectId", "")
            return bool(ACTING_TYPES & await _types_listened_to(world))
    except (TimeoutError, BoathookError):
        heard.count = UNKNOWN
        return False


async def _read_count(counting: asyncio.Future[dict[str, Any]]) -> int:
    try:
        counters = await counting
    except ProtocolError:
        return UNKNOWN  # extensions, and so the relay, may not use this domain
    return int(counters["jsEventListeners"])


def _find_document(world: World) -> asyncio.Future[dict[str, Any]] | None:
    """Ask for the document in the page's own world, side by side with other questions; None if it is known."""
    # Through the document of our own world, asked during a walk, Chromium mixes up the wrappers of both worlds: our script
    # meets "Illegal invocation", and the tab crashes soon after. Only runs of benchmarks/tasks have shown that so far.
    if world.page_document:
        return None
    finding = world.frame.session.post("Runtime.evaluate", expression="document")
    ignore_reply(finding)
    return finding


async def _types_listened_to(world: World) -> set[str]:
    if not world.page_document:
        return set()
    reply = await world.frame.session.send(
        "DOMDebugger.getEventListeners", objectId=world.page_document, depth=-1, pierce=True
    )
    return {listener["type"] for listener in reply["listeners"]}


async def learn_listeners(world: World, *, counted: bool = False) -> str:
    """The expression that passes to the walker what listens; empty if that is not known. `counted`: just now."""
    heard = world.heard
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            if heard.has_probe:
                count = await _read_count(count_listeners(world))
                asks_all = "false" if count != UNKNOWN and count == heard.count else "true"
                reply = await _ask_probe(world, asks_all)
            else:
                count = heard.count if counted else await _read_count(count_listeners(world))
                # Side by side: they are run in this order.
                install = _evaluate(world, page_script("actions/listener_probe.js"), objectGroup=LAST_VALUE)
                _installed, reply = await asyncio.gather(install, _ask_probe(world, "true"))
    except (TimeoutError, BoathookError):
        heard.has_probe = False
        return ""
    answer = _as_expression(reply.get("result", {}).get("value"))
    # An answer that was cut short leaves it open which elements were asked.
    heard.has_probe, heard.count = bool(answer), count
    return answer


async def _ask_probe(world: World, asks_all: str) -> dict[str, Any]:
    return await _evaluate(world, f"$_({asks_all})", returnByValue=True)


async def _evaluate(world: World, expression: str, **how: Any) -> dict[str, Any]:
    return await world.frame.session.send(
        "Runtime.evaluate", expression=expression, includeCommandLineAPI=True, timeout=PROBE_MS, **how
    )


def _as_expression(answer: object) -> str:
    """Numbers only: the page may have changed what its world answers."""
    if not isinstance(answer, str) or len(answer) > LONGEST_ANSWER:
        return ""
    try:
        count, *listed = msgspec.json.decode(answer, type=list[int])
    except (msgspec.MsgspecError, ValueError):
        return ""
    return f"__boathook.learnActors({msgspec.json.encode(listed).decode()}, {count})"

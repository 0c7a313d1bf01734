"""Deep DOM trees, read in steps: Chrome drops a reply to an extension that is nested too deeply, at about 100 elements.

tests/extension/test_deep_trees.py has such documents.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from boathook.relay.extension.extension_connection import future_answer
from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.relay.sessions.target_session import TargetSession

STEP = 30
"""Levels of elements in one reply; a level takes up to four of JSON, with a shadow root or a document between."""
MOST_LEVELS = 200
"""Chrome itself stops at 148."""
_ROOTS = {"DOM.getDocument": "root", "DOM.describeNode": "node"}
_CHILDREN = "DOM.requestChildNodes"
_Leaf = tuple[dict[str, Any], int]


def is_deep(method: str, params: dict[str, Any]) -> bool:
    """Whether a command may have a reply that is nested too deeply."""
    depth = params.get("depth", 1)
    return (method in _ROOTS or method == _CHILDREN) and (depth < 0 or depth > STEP)


async def read_tree(target_session: TargetSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The reply to a command that reads a tree."""
    levels = math.inf if params["depth"] < 0 else params["depth"]
    if method == _CHILDREN:
        await _send_children(target_session, params, levels)
        return {}
    first = {**params, "depth": int(min(levels, STEP))}
    result = await _ask(target_session, method, first)
    pierce = bool(params.get("pierce"))
    by_id = method == "DOM.getDocument"
    leaves = list(_leaves(result[_ROOTS[method]], level=0, last=STEP, pierce=pierce))
    while leaves:
        leaf, level = leaves.pop()
        _check(level)
        if level >= levels:
            continue
        more = {"depth": int(min(levels - level, STEP)), "pierce": pierce}
        leaf["children"] = await (_pushed if by_id else _described)(target_session, leaf, more)
        for child in leaf["children"]:
            leaves += _leaves(child, level=level + 1, last=level + STEP, pierce=pierce)
    return result


async def _send_children(target_session: TargetSession, params: dict[str, Any], levels: float) -> None:
    """As events, parents first; clients receive them, as usual."""
    pierce = bool(params.get("pierce"))
    leaves: list[_Leaf] = [({"nodeId": params.get("nodeId")}, 0)]
    while leaves:
        leaf, level = leaves.pop(0)
        _check(level)
        if level >= levels:
            continue
        more = {"depth": int(min(levels - level, STEP)), "pierce": pierce}
        for child in await _pushed(target_session, leaf, more, is_shown=True):
            leaves += _leaves(child, level=level + 1, last=level + STEP, pierce=pierce)


def _check(level: int) -> None:
    if level > MOST_LEVELS:
        raise CdpRefusal("the document is nested too deeply; read it in parts, with a depth")


async def _pushed(
    target_session: TargetSession, leaf: dict[str, Any], more: dict[str, Any], *, is_shown: bool = False
) -> list[dict[str, Any]]:
    """The children of a node, which get numbers; Chrome sends them as an event before its reply."""
    expected = target_session.expected_children
    expected[leaf["nodeId"]] = (is_shown, [])
    try:
        await _ask(target_session, _CHILDREN, {"nodeId": leaf["nodeId"], **more})
    finally:
        _, nodes = expected.pop(leaf["nodeId"])
    return nodes


async def _described(
    target_session: TargetSession, leaf: dict[str, Any], more: dict[str, Any]
) -> list[dict[str, Any]]:
    wanted = {"backendNodeId": leaf["backendNodeId"], **more}
    nodes: list[dict[str, Any]] = (await _ask(target_session, "DOM.describeNode", wanted))["node"].get(
        "children", []
    )
    return nodes


def _leaves(node: dict[str, Any], *, level: int, last: int, pierce: bool) -> Iterator[_Leaf]:
    """Nodes with children that the reply did not contain."""
    waiting = [(node, level)]
    while waiting:
        node, level = waiting.pop()
        inner = [node["contentDocument"]] if "contentDocument" in node else []
        if pierce:
            waiting += [(root, level) for root in [*inner, *node.get("shadowRoots", [])]]
        if "children" in node:
            waiting += [(child, level + 1) for child in node["children"]]
        elif node.get("childNodeCount") and level >= last:
            yield node, level


async def _ask(target_session: TargetSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
    answer, done = future_answer()
    target_session.send(method, params, done)
    return await answer

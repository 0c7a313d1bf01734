"""Text for React components and page tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from boathook.presentation.quoting import quoted

if TYPE_CHECKING:
    from boathook.engine.debug.react import Boundary, ComponentFacts, ComponentTree, Renders
    from boathook.engine.debug.webmcp import PageTool

INDENT = "  "


def told_tree(tree: ComponentTree) -> str:
    """A line for each component, indented by nesting."""
    lines = [
        f"{INDENT * one.depth}{one.id} {one.name}" + (f" key={quoted(one.key)}" if one.key else "")
        for one in tree.nodes
    ]
    left = tree.count - len(tree.nodes)
    return "\n".join(lines + ([f"[{left} more: use --depth or --most]"] if left else []))


def told_component(facts: ComponentFacts) -> str:
    """Name, place, props and state."""
    lines = [f"{facts.id} {facts.name}" + (f" key={quoted(facts.key)}" if facts.key else "")]
    if facts.element:
        lines.append(f"renders {facts.element}")
    if facts.parents:
        lines.append(f"in {' < '.join(facts.parents)}")
    lines.append(f"props {json.dumps(facts.props, ensure_ascii=False)}")
    lines += [f"state {json.dumps(one, ensure_ascii=False)}" for one in facts.state]
    return "\n".join(lines)


def told_boundary(boundary: Boundary) -> str:
    """One line."""
    return f"{boundary.id} Suspense in {boundary.within or 'the root'}: {'pending' if boundary.waiting else 'shown'}"


def told_renders(renders: Renders) -> str:
    """The total, and a line for each component."""
    lines = [f"{renders.commits} commits"]
    for one in renders.components:
        took = f", {one.milliseconds:.1f} ms" if one.milliseconds else ""
        lines.append(f"{one.renders} {one.name} ({one.mounts} mounted{took})")
    return "\n".join(lines)


def told_tool(tool: PageTool) -> str:
    """Name, description and parameters."""
    return f"{quoted(tool.name, marks=False)}: {quoted(tool.description)} takes {json.dumps(tool.schema, ensure_ascii=False)}"

"""Text for React components and page tools."""

from __future__ import annotations

import json

from boathook.engine.debug.react import Boundary, ComponentFacts, ComponentTree, Renders
from boathook.engine.debug.webmcp import PageTool, ToolAnswer
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import as_text, own_lines

INDENT = "  "


@own_lines
def render_component_tree(tree: ComponentTree) -> str:
    """A line for each component, indented by nesting."""
    lines = [
        f"{INDENT * node.depth}{node.id} {node.name}" + (f" key={quote(node.key)}" if node.key else "")
        for node in tree.nodes
    ]
    left = tree.count - len(tree.nodes)
    return "\n".join(lines + ([f"[{left} more: use --depth or --most]"] if left else []))


def render_component(facts: ComponentFacts) -> str:
    """Name, place, props and state."""
    lines = [f"{facts.id} {facts.name}" + (f" key={quote(facts.key)}" if facts.key else "")]
    if facts.element:
        lines.append(f"renders {facts.element}")
    if facts.parents:
        lines.append(f"in {' < '.join(facts.parents)}")
    lines.append(f"props {json.dumps(facts.props, ensure_ascii=False)}")
    lines += [f"state {json.dumps(state, ensure_ascii=False)}" for state in facts.state]
    return "\n".join(lines)


@own_lines
def render_boundary(boundary: Boundary) -> str:
    """One line."""
    return f"{boundary.id} Suspense in {boundary.within or 'the root'}: {'pending' if boundary.waiting else 'shown'}"


@own_lines
def render_renders(renders: Renders) -> str:
    """The total, and a line for each component."""
    lines = [f"{renders.commits} commits"]
    for component in renders.components:
        took = f", {component.milliseconds:.1f} ms" if component.milliseconds else ""
        lines.append(f"{component.renders} {component.name} ({component.mounts} mounted{took})")
    return "\n".join(lines)


def render_page_tool(tool: PageTool) -> str:
    """Name, description and parameters."""
    return f"{quote(tool.name, marks=False)}: {quote(tool.description)} takes {json.dumps(tool.schema, ensure_ascii=False)}"


as_text.register(ComponentFacts, render_component)


as_text.register(PageTool, render_page_tool)


@as_text.register
def _render_tool_answer(value: ToolAnswer) -> str:
    return value.text

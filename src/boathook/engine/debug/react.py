"""React: the components of a page, one of them, Suspense boundaries and renders; read from React's own data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.engine.debug.main_world_eval import own_value, put_into_new_documents
from boathook.engine.page_scripts import page_script
from boathook.errors import BadRequest, PageError
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

MOST_NODES = 500


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One component; its number is its position in the tree, valid until the tree changes."""

    id: int
    depth: int
    name: str
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentTree:
    """The components of all React roots of the page."""

    nodes: tuple[Component, ...]
    count: int


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentFacts:
    """Details of one component, as plain data."""

    id: int
    name: str
    key: str
    props: Any
    state: list[Any]
    parents: tuple[str, ...]
    element: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundary:
    """A Suspense boundary, and whether it shows its fallback."""

    id: int
    within: str
    waiting: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Renders:
    """How often components rendered; the most frequent first."""

    commits: int
    components: tuple[Rendered, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """One component's count; milliseconds only where React was built with profiling."""

    name: str
    renders: int
    mounts: int
    milliseconds: float


async def tree(tab: Tab, *, most: int, depth: int, deadline: Deadline) -> ComponentTree:
    """The tree, up to a number of components."""
    told = await _ask_page(tab, f"tree({most}, {depth})", deadline)
    return ComponentTree(nodes=tuple(Component(**node) for node in told["nodes"]), count=int(told["count"]))


async def inspect(tab: Tab, number: int, *, deadline: Deadline) -> ComponentFacts:
    """One component by its number in the tree."""
    told = await _ask_page(tab, f"inspect({number})", deadline)
    if told is None:
        raise BadRequest(f"no such component: {number}", hint="`react tree` lists them")
    return ComponentFacts(
        id=number,
        name=told["name"],
        key=told["key"],
        props=told["props"],
        state=told["state"],
        parents=tuple(told["parents"]),
        element=told["element"],
    )


async def suspense(tab: Tab, *, deadline: Deadline) -> list[Boundary]:
    """All boundaries."""
    return [Boundary(**boundary) for boundary in await _ask_page(tab, "suspense()", deadline)]


async def start_renders(tab: Tab, *, deadline: Deadline) -> bool:
    """Start counting; returns whether the page must be reloaded, since React looks for the hook only once."""
    async with deadline.stage("starting to count renders"):
        if await _value(
            tab,
            "(hook => hook ? (hook.reset(), true) : false)(globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__?.renders)",
        ):
            return False
        await put_into_new_documents(tab, "debug/react_renders.js")
    return True


async def renders(tab: Tab, *, deadline: Deadline) -> Renders:
    """What was counted so far."""
    async with deadline.stage("reading render counts"):
        told = await _value(tab, "globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__?.renders?.told()")
    if not isinstance(told, dict):
        raise BadRequest(
            "renders are not being counted on this page", hint="start it first|: `react renders start`"
        )
    found = [Rendered(**component) for component in told["components"]]
    found.sort(key=lambda component: -component.renders)
    return Renders(commits=int(told["commits"]), components=tuple(found[:MOST_NODES]))


async def _ask_page(tab: Tab, question: str, deadline: Deadline) -> Any:
    async with deadline.stage("querying React"):
        script = f"(react => react.present() ? {{ told: react.{question} }} : null)({page_script('debug/react.js')})"
        told = await _value(tab, script)
    if told is None:
        raise PageError(
            "React not found on this page", hint="the page may still be loading, or not use React"
        )
    return told["told"]


async def _value(tab: Tab, script: str) -> Any:
    return await own_value(tab, script, failed="React could not be queried")

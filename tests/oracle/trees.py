"""The accessibility tree of one page, read from either side into one form. Pure, no browser."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

# Roles that carry no meaning of their own: a node that has only such a role is not part of the comparison, unless
# it is a generic that somebody gave a name. Text is compared through the names it makes.
INTERNAL = frozenset(
    [
        "generic",
        "none",
        "presentation",
        "statictext",
        "inlinetextbox",
        "linebreak",
        "listmarker",
        "rootwebarea",
        "labeltext",
        "legend",
        "abbr",
        "layouttable",
        "layouttablerow",
        "layouttablecell",
        "ruby",
        "rubyannotation",
        "rubytext",
        "tableheadercontainer",
        "pre",
        "scrollview",
        "menulistpopup",
        "rubybase",
        "headerasnonlandmark",
        "footerasnonlandmark",
        "sectionwithoutname",
        "iframepresentational",
        "ignored",
        "unknown",
        "div",
        "text",
    ]
)

# Chromium's own spellings -> the spelling of the ARIA specification that the walker uses.
SPELLING = {
    "image": "img",
    "svgroot": "img",
    "details": "group",
    "disclosuretriangle": "button",
    "disclosuretrianglegrouped": "button",
    "descriptionlist": "list",
    "descriptionlistterm": "term",
    "descriptionlistdetail": "definition",
    "contentinsertion": "insertion",
    "contentdeletion": "deletion",
    "togglebutton": "button",
    "popupbutton": "combobox",
    "mathmlmath": "math",
}

STATES = [
    "checked",
    "expanded",
    "selected",
    "disabled",
    "required",
    "invalid",
    "pressed",
    "level",
    "readonly",
    "multiselectable",
    "haspopup",
    "modal",
    "busy",
    "value",
]


MARKER = "::marker"
ELEMENT, TEXT = 1, 3  # of the DOM's node types

SECRET_FIELDS = frozenset(("cc-number", "cc-csc", "one-time-code"))


@dataclass(frozen=True, slots=True)
class Node:
    """One exposed element as one side sees it; `key` is its backend node id, `parent` that of its exposed parent."""

    key: int
    role: str
    name: str
    description: str
    states: dict[str, str]
    parent: int | None = None
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the document: how a reader finds it, and whether the page's author wrote it."""

    where: str
    built_in: bool
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Side:
    """A whole page as one side sees it: exposed nodes in order, and the text that stands directly in each."""

    nodes: list[Node] = field(default_factory=list)
    texts: dict[int | None, list[str]] = field(default_factory=dict)

    def add_text(self, parent: int | None, text: Any) -> None:
        if piece := squeezed(text):
            self.texts.setdefault(parent, []).append(piece)


def spelled(role: str) -> str:
    low = role.lower()
    return SPELLING.get(low, low)


def tidy(text: Any) -> str:
    return " ".join(str(text or "").split())


def squeezed(text: Any) -> str:
    """Without any white space: the two sides cut text into pieces at different places."""
    return "".join(str(text or "").split())


def exposed(role: str, name: str) -> bool:
    if role.startswith("mathml"):
        return False  # the inside of a formula: Chromium has a role for each mark, ARIA has none
    return role not in INTERNAL or (role == "generic" and name != "")


# --- the document ------------------------------------------------------------------------------------------------


def elements(document: dict[str, Any]) -> dict[int, Element]:
    """Every element by backend node id, and with them the texts and list markers that the browser makes."""
    found: dict[int, Element] = {}
    work = [(document, "", False)]
    while work:
        node, path, built_in = work.pop()
        if node["nodeType"] == ELEMENT:
            pairs = node.get("attributes", [])
            attributes = dict(zip(pairs[::2], pairs[1::2], strict=True))
            found[node["backendNodeId"]] = Element(path, built_in, attributes)
        elif node["nodeType"] == TEXT and built_in:
            found[node["backendNodeId"]] = Element(path, built_in)
        for pseudo in node.get("pseudoElements", ()):
            if pseudo["pseudoType"] == "marker":
                found[pseudo["backendNodeId"]] = Element(path + MARKER, built_in=True)
        work += [
            (root, path + _root_step(root), built_in or _is_built_in(root))
            for root in node.get("shadowRoots", ())
        ]
        if "contentDocument" in node:
            work.append((node["contentDocument"], path + " | ", built_in))
        work += [(child, step, built_in) for child, step in _steps(node, path)]
    return found


def _is_built_in(root: dict[str, Any]) -> bool:
    return root.get("shadowRootType") == "user-agent"


def _root_step(root: dict[str, Any]) -> str:
    return f" /{root.get('shadowRootType', 'shadow')}/ "


def _steps(node: dict[str, Any], path: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Children with their path: an id where there is one, else the place among children of the same tag."""
    counts: dict[str, int] = {}
    for child in node.get("children", ()):
        tag = child["nodeName"].lower()
        counts[tag] = counts.get(tag, 0) + 1
        pairs = child.get("attributes", [])
        name = dict(zip(pairs[::2], pairs[1::2], strict=True)).get("id")
        step = f"{tag}#{name}" if name else f"{tag}:{counts[tag]}"
        if tag in ("html", "body"):
            step = tag
        base = path[: path.rfind(" ") + 1] if name else path + ("" if path.endswith(" ") or not path else ">")
        yield child, base + step


# --- Chromium's side ---------------------------------------------------------------------------------------------


class ChromiumTree:
    """Chromium's trees of all frames read as one: frames in the place of the element that holds them."""

    def __init__(self, trees: list[tuple[int | None, list[dict[str, Any]]]], known: dict[int, Element]):
        self.trees = dict(trees)
        self.known = known
        self.seen: set[int] = set()
        self.side = Side()
        self._read(None, None)

    def _read(self, owner: int | None, above: int | None) -> None:
        nodes = self.trees.pop(owner)
        by_id = {node["nodeId"]: node for node in nodes}
        below = {child for node in nodes for child in node.get("childIds", ())}
        work = [(node, above) for node in reversed(nodes) if node["nodeId"] not in below]
        while work:
            node, parent = work.pop()
            parent = self._take(node, parent)
            if node.get("backendDOMNodeId", -1) in self.trees:
                self._read(node["backendDOMNodeId"], parent)
            if not self._is_marker_or_text(node):
                work += [(by_id[c], parent) for c in reversed(node.get("childIds", ())) if c in by_id]

    def _is_marker_or_text(self, node: dict[str, Any]) -> bool:
        element = self.known.get(node.get("backendDOMNodeId", -1))
        marker = element is not None and element.where.endswith(MARKER)
        return marker or node["role"]["value"] == "StaticText"

    def _take(self, node: dict[str, Any], parent: int | None) -> int | None:
        """Keep what is exposed; the exposed parent of what follows below."""
        if not node.get("ignored") and node["role"]["value"] == "StaticText":
            if node.get("backendDOMNodeId", -1) not in self.known:
                self.side.add_text(parent, node.get("name", {}).get("value"))
            return parent
        made = _chromium_node(node, parent, self.known)
        if made is None or made.key in self.seen:
            return parent
        self.seen.add(made.key)
        self.side.nodes.append(made)
        return made.key


def _chromium_node(node: dict[str, Any], parent: int | None, known: dict[int, Element]) -> Node | None:
    element = known.get(node.get("backendDOMNodeId", -1))
    if node.get("ignored") or element is None:
        return None
    role, name = spelled(node["role"]["value"]), tidy(node.get("name", {}).get("value"))
    if not exposed(role, name):
        return None
    return Node(
        key=node["backendDOMNodeId"],
        role=role,
        name=name,
        description=tidy(node.get("description", {}).get("value")),
        states=_chromium_states(node),
        parent=parent,
        secret=_is_secret(element.attributes),
    )


def _is_secret(attributes: dict[str, str]) -> bool:
    """The walker masks these values on purpose, so they cannot agree."""
    return attributes.get("type") == "password" or attributes.get("autocomplete", "") in SECRET_FIELDS


def _chromium_states(node: dict[str, Any]) -> dict[str, str]:
    raw = {p["name"].lower(): p["value"].get("value") for p in node.get("properties", ())}
    raw["value"] = node.get("value", {}).get("value")
    raw["busy"] = bool(raw.get("busy"))  # Chromium sends it as a number
    return plain_states(raw)


def plain_states(raw: dict[str, Any]) -> dict[str, str]:
    """States as words; what is false, empty or the default is left out, except a collapsed `expanded`."""
    out = {}
    for name in STATES:
        word = _word(raw.get(name))
        if word == "" or (word == "false" and name not in ("expanded", "value")):
            continue
        out[name] = word
    return out


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}"
    return tidy(value)


# --- our side ----------------------------------------------------------------------------------------------------


def walker_tree(rows: list[tuple[Any, ...]]) -> Side:
    """What the walker exposes; rows are (backend id or None, depth, role, name, description, states)."""
    side = Side()
    stack: list[tuple[int, int]] = []
    seen: set[int] = set()
    for key, depth, role, name, description, states in rows:
        while stack and stack[-1][0] >= depth:
            stack.pop()
        parent = stack[-1][1] if stack else None
        word, words = spelled(role or ""), tidy(name)
        if key is None:
            side.add_text(parent, name)
        elif key not in seen and exposed(word, words):
            seen.add(key)
            side.nodes.append(Node(key, word, words, tidy(description), walker_states(states or {}), parent))
            stack.append((depth, key))
    return side


def walker_states(raw: dict[str, Any]) -> dict[str, str]:
    """The walker's states in the same words; it writes a collapsed thing as `collapsed` or as expanded: false."""
    low = {name.lower(): value for name, value in raw.items()}
    if low.pop("collapsed", False):
        low["expanded"] = False
    return plain_states(low)

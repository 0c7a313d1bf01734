"""The comparison of two accessibility trees of one page: the walker's and Chromium's. Pure, no browser."""

from bisect import bisect_left
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
class Disagreement:
    """One difference between the two sides."""

    page: str
    where: str
    kind: str
    ours: str
    chromium: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.page, self.where, self.kind


@dataclass(slots=True)
class Score:
    """What was compared and how much of it agreed; scores add up."""

    nodes: int = 0
    agreeing: int = 0
    states: int = 0
    states_agreeing: int = 0
    descriptions: int = 0
    descriptions_agreeing: int = 0
    nested: int = 0
    nested_agreeing: int = 0
    ordered: int = 0
    ordered_agreeing: int = 0
    built_in: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        for slot in self.__slots__:
            setattr(self, slot, getattr(self, slot) + getattr(other, slot))


def percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 100.0


def spelled(role: str) -> str:
    low = role.lower()
    return SPELLING.get(low, low)


def tidy(text: Any) -> str:
    return " ".join(str(text or "").split())


def exposed(role: str, name: str) -> bool:
    if role.startswith("mathml"):
        return False  # the inside of a formula: Chromium has a role for each mark, ARIA has none
    return role not in INTERNAL or (role == "generic" and name != "")


# --- the document ------------------------------------------------------------------------------------------------


def elements(document: dict[str, Any]) -> dict[int, Element]:
    """Every element by backend node id."""
    found: dict[int, Element] = {}
    work = [(document, "", False)]
    while work:
        node, path, built_in = work.pop()
        if node["nodeType"] == 1:
            pairs = node.get("attributes", [])
            attributes = dict(zip(pairs[::2], pairs[1::2], strict=True))
            found[node["backendNodeId"]] = Element(path, built_in, attributes)
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


def chromium_nodes(
    trees: list[tuple[int | None, list[dict[str, Any]]]], known: dict[int, Element]
) -> list[Node]:
    """Chromium's exposed elements, in the order of its tree; frames in the place of the element that holds them."""
    by_owner = dict(trees)
    out: list[Node] = []
    seen: set[int] = set()

    def visit_tree(owner: int | None) -> None:
        nodes = by_owner[owner]
        by_id = {node["nodeId"]: node for node in nodes}
        children = {child for node in nodes for child in node.get("childIds", ())}
        work = [(node, owner) for node in reversed(nodes) if node["nodeId"] not in children]
        while work:
            node, parent = work.pop()
            key = node.get("backendDOMNodeId")
            made = _chromium_node(node, parent, known)
            if made is not None and made.key not in seen:
                seen.add(made.key)
                out.append(made)
                parent = made.key
            if key in by_owner and key is not None:
                visit_tree(key)
            work += [(by_id[c], parent) for c in reversed(node.get("childIds", ())) if c in by_id]

    visit_tree(None)
    return out


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


def walker_nodes(rows: list[tuple[Any, ...]]) -> list[Node]:
    """The walker's exposed elements; rows are (backend id or None, depth, role, name, description, states)."""
    out: list[Node] = []
    stack: list[tuple[int, int]] = []
    seen: set[int] = set()
    for key, depth, role, name, description, states in rows:
        while stack and stack[-1][0] >= depth:
            stack.pop()
        word, words = spelled(role or ""), tidy(name)
        if key is None or key in seen or not exposed(word, words):
            continue
        seen.add(key)
        parent = stack[-1][1] if stack else None
        out.append(Node(key, word, words, tidy(description), walker_states(states or {}), parent))
        stack.append((depth, key))
    return out


def walker_states(raw: dict[str, Any]) -> dict[str, str]:
    """The walker's states in the same words; it writes a collapsed thing as `collapsed` or as expanded: false."""
    low = {name.lower(): value for name, value in raw.items()}
    if low.pop("collapsed", False):
        low["expanded"] = False
    return plain_states(low)


# --- both --------------------------------------------------------------------------------------------------------


def compare(page: str, ours: list[Node], theirs: list[Node], known: dict[int, Element]) -> Score:
    """Count agreement over all nodes that either side exposes."""
    score = Score(built_in=sum(known[node.key].built_in for node in theirs))
    left = {node.key: node for node in ours if node.key in known and not known[node.key].built_in}
    right = {node.key: node for node in theirs if not known[node.key].built_in}

    def differ(key: int, kind: str, mine: str, other: str) -> None:
        score.disagreements.append(Disagreement(page, known[key].where, kind, mine, other))

    for key in [*right, *(key for key in left if key not in right)]:
        score.nodes += 1
        a, b = left.get(key), right.get(key)
        if a is None or b is None:
            differ(key, "exposed", _short(a), _short(b))
            continue
        score.agreeing += (a.role, a.name) == (b.role, b.name)
        if a.role != b.role:
            differ(key, "role", a.role, b.role)
        if a.name != b.name:
            differ(key, "name", a.name, b.name)
        _compare_facts(a, b, score, differ)
    common = left.keys() & right.keys()
    _compare_shape(left, right, common, score, differ)
    return score


def _short(node: Node | None) -> str:
    return "not exposed" if node is None else f'{node.role} "{node.name}"'


def _compare_facts(a: Node, b: Node, score: Score, differ: Any) -> None:
    names = {name for name in (*a.states, *b.states) if not (name == "value" and b.secret)}
    for name in sorted(names):
        score.states += 1
        if a.states.get(name, "") == b.states.get(name, ""):
            score.states_agreeing += 1
        else:
            differ(a.key, f"state {name}", a.states.get(name, ""), b.states.get(name, ""))
    if a.description or b.description:
        score.descriptions += 1
        if a.description == b.description:
            score.descriptions_agreeing += 1
        else:
            differ(a.key, "description", a.description, b.description)


def _compare_shape(
    left: dict[int, Node], right: dict[int, Node], common: Any, score: Score, differ: Any
) -> None:
    """Nesting: the nearest ancestor that both expose. Order: the longest part of the sequence that is the same."""
    for key in common:
        a, b = _ancestor(left, key, common), _ancestor(right, key, common)
        score.nested += 1
        score.nested_agreeing += a == b
        if a != b:
            differ(key, "parent", _short(left.get(a or -1)), _short(right.get(b or -1)))
    place = {key: i for i, key in enumerate(key for key in left if key in common)}
    sequence = [key for key in right if key in common]
    kept = _longest_rising([place[key] for key in sequence])
    score.ordered += len(sequence)
    score.ordered_agreeing += len(kept)
    for i, key in enumerate(sequence):
        if i not in kept:
            differ(key, "order", f"place {place[key]}", f"place {i}")


def _ancestor(side: dict[int, Node], key: int, common: Any) -> int | None:
    parent = side[key].parent
    while parent is not None and parent not in common:
        parent = side[parent].parent if parent in side else None
    return parent


def _longest_rising(numbers: list[int]) -> set[int]:
    """Indexes of a longest strictly rising subsequence."""
    tails: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for i, number in enumerate(numbers):
        j = bisect_left(tails, number)
        tails[j : j + 1] = [number]
        at[j : j + 1] = [i]
        before.append(at[j - 1] if j else -1)
    out: set[int] = set()
    i = at[-1] if at else -1
    while i >= 0:
        out.add(i)
        i = before[i]
    return out

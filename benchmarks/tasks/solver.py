"""A solver without rules for tools: it sees the text of snapshots and results, and acts on refs that stand in them.

A step is a verb, the words that a person would use for the element, and perhaps words near it. The line that says these
words best is chosen; if that line has no ref, the nearest line with one. A failed step is tried once more in the way that
is possible without the tool's own command (`select` by opening and clicking, `check` by clicking).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

REF = re.compile(r"(?:@|\[ref=|ref=)(?:@)?((?:[a-z]\d+)*e\d+)\b")
"""`@e5`, `[ref=e5]` or `ref=e5`: how all three tools write refs."""
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
WORDS = re.compile(r"[\w+]+")
FIELD_ROLES = ("textbox", "searchbox", "combobox", "spinbutton", "listbox", "slider")
CHECK_ROLES = ("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")
PRESSED_ROLES = (
    "button",
    "link",
    "tab",
    "menuitem",
    "option",
    "checkbox",
    "radio",
    "switch",
    "treeitem",
    "gridcell",
)
SUITABLE = {
    "fill": FIELD_ROLES, "type": FIELD_ROLES, "select": FIELD_ROLES, "check": CHECK_ROLES, "uncheck": CHECK_ROLES,
    "click": PRESSED_ROLES,
}  # fmt: skip
SURE = 80
"""With this score a line from an earlier text is used without a new snapshot."""


@dataclass
class Line:
    """One line of a snapshot."""

    depth: int
    text: str
    ref: str
    role: str
    names: list[str]
    words: set[str] = field(default_factory=set)


def read_lines(text: str) -> list[Line]:
    """The lines of a snapshot, whichever tool wrote it."""
    lines = []
    for raw in text.splitlines():
        stripped = raw.lstrip(" -+>~*")
        if not stripped:
            continue
        ref = REF.search(raw)
        said = REF.sub("", stripped)
        names = [name.lower() for name in QUOTED.findall(said)]
        after = said.rpartition("]: ")[2] if "]: " in said else ""
        if after:
            names.append(after.strip().lower())
        role = (WORDS.match(stripped) or [""])[0].lower()
        words = set(WORDS.findall(said.lower()))
        lines.append(
            Line(len(raw) - len(raw.lstrip(" ")), said.lower(), ref[1] if ref else "", role, names, words)
        )
    return lines


def likeness(line: Line, wanted: str) -> float:
    """From 0 to 100: how well the line says the words."""
    wanted = wanted.lower()
    if wanted in line.names:
        return 100
    if any(name.startswith(wanted) for name in line.names):
        return 90
    if re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", " ".join(line.names)):
        return 85
    if re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", line.text):
        return 80
    tokens = WORDS.findall(wanted)
    shared = sum(token in line.words for token in tokens)
    return 60 * shared / len(tokens) if tokens and shared * 2 >= len(tokens) else 0


def ancestors(lines: list[Line], index: int) -> list[int]:
    """The lines around a line, innermost first."""
    above, depth = [], lines[index].depth
    for at in range(index - 1, -1, -1):
        if lines[at].depth < depth:
            above.append(at)
            depth = lines[at].depth
    return above


def distance(lines: list[Line], one: int, other: int) -> float:
    """How far apart two lines are: first by how far up they meet, then by lines."""
    mine, theirs = [one, *ancestors(lines, one)], [other, *ancestors(lines, other)]
    meeting = next((steps for steps, at in enumerate(mine) if at in theirs), len(mine))
    return meeting + abs(one - other) / 1000 + (0.0005 if one < other else 0)


def with_ref(lines: list[Line], index: int, verb: str) -> int | None:
    """The line to act on for a line without a ref: for fields the next suitable one beside it, else what it stands in."""
    roles = SUITABLE.get(verb, ())
    if verb != "click" and roles:
        near = [i for i, line in enumerate(lines) if line.ref and line.role in roles and abs(i - index) <= 4]
        return min(near, key=lambda i: distance(lines, i, index) + (1 if i < index else 0), default=None)
    return next((at for at in ancestors(lines, index) if lines[at].ref), None)


def best(text: str, verb: str, wanted: str, near: str = "") -> tuple[float, str]:
    """The score and the ref of the line that is meant."""
    lines = read_lines(text)
    places = [i for i, line in enumerate(lines) if near and likeness(line, near) >= SURE]
    if near and not places:
        return 0, ""
    roles = SUITABLE.get(verb, ())
    scored = []
    for i, line in enumerate(lines):
        score = likeness(line, wanted)
        if not score:
            continue
        suits = line.role in roles or (verb in {"fill", "type"} and "edit" in line.text)
        at = i
        if not line.ref or (verb != "click" and roles and not suits):
            beside = with_ref(lines, i, verb)
            if beside is None and not line.ref:
                continue
            at, score = (i if beside is None else beside), score - 12
        score += 5 if suits else 0
        far = min((distance(lines, i, place) for place in places), default=0)
        scored.append((score - 6 * far, -i, lines[at].ref, score))
    if not scored:
        return 0, ""
    _, _, ref, score = max(scored)
    return score, ref


class Solver:
    """Carries out the steps of one task."""

    def __init__(self, tool) -> None:
        self.tool = tool
        self.seen = ""
        self.read = 0
        self.calls = 0
        self.errors: list[str] = []

    async def solve(self, steps: list[list[str]]) -> None:
        """All steps; what fails is noted, and the next step is still tried."""
        await self.look()
        for step in steps:
            if not await self.step(*step):
                return

    async def look(self) -> None:
        """A new snapshot."""
        self.calls += 1
        self.seen = await self.tool.snapshot()
        self.read += self.tool.tokens(self.seen)

    async def step(self, verb: str, *rest: str) -> bool:
        """One step; false if it could not be done."""
        if verb == "press":
            return await self.act("press", rest[0])
        wanted, near = rest[0], ""
        if " @ " in wanted:
            wanted, near = wanted.split(" @ ")
        if verb == "drag":
            return await self.drag(wanted, near, rest[1])
        ref = await self.find(verb, wanted, near)
        if not ref:
            self.errors.append(f"not listed: {rest[0]}")
            return False
        if await self.act(verb, ref, *rest[1:]):
            return True
        return await self.another_way(verb, ref, *rest[1:])

    async def drag(self, wanted: str, near: str, onto: str) -> bool:
        """From one element to another."""
        place, _, place_near = onto.partition(" @ ")
        source, target = await self.find("drag", wanted, near), await self.find("drag", place, place_near)
        if not source or not target:
            self.errors.append(f"not listed: {wanted if not source else onto}")
            return False
        return await self.act("drag", source, target)

    async def find(self, verb: str, wanted: str, near: str) -> str:
        """The ref that is meant: in what was seen last, or in a new snapshot."""
        score, ref = best(self.seen, verb, wanted, near)
        if score < SURE:
            await self.look()
            _, ref = best(self.seen, verb, wanted, near)
        return ref

    async def act(self, verb: str, *values: str) -> bool:
        """One call; its answer is read like a snapshot."""
        self.calls += 1
        try:
            answer = await self.tool.act(verb, *values)
        except Exception as error:  # whatever a tool says in its way that something failed
            self.errors.append(f"{verb}: {str(error)[:160]}")
            self.read += self.tool.tokens(str(error))
            self.seen = ""
            return False
        self.read += self.tool.tokens(answer)
        self.seen = answer
        return True

    async def another_way(self, verb: str, ref: str, *values: str) -> bool:
        """Without the tool's own command."""
        if verb == "select":
            if not await self.act("click", ref):
                return False
            option = await self.find("click", values[0], "")
            return bool(option) and await self.act("click", option)
        if verb in {"check", "uncheck"}:
            return await self.act("click", ref)
        if verb == "fill":
            return await self.act("click", ref) and await self.act("type", ref, *values)
        return False

"""Public accessible-name and role cases as facts: markup, and what the element in question must be called.

The facts restate cases of web-platform-tests (folders accname, html-aam and wai-aria; `source` names the file) in our
own words; a few come from the text of the accname specification, and say so. Roles of drawings, books and graphics are the
rows of the mapping tables of svg-aam, dpub-aam and graphics-aam; where a table and the public tests differ (the outermost
svg, images without a name) there is no fact. Of these tables every third fact is held out, by its position. Left out: cases marked tentative; cases
whose element is itself hidden, since such an element is in no tree; and those where two files say the opposite of each
other (hidden labels of inputs in comp_host_language_label and hidden-names; cells and captions outside a table in
contextual-roles, where the newer table-roles is followed). In a fact's markup the element in question carries the
attribute data-fact.
"""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from . import trees
from .compare import percent

FACTS = Path(__file__).parent / "wpt_facts"
KINDS = ("name", "role", "description")


@dataclass(frozen=True, slots=True)
class Miss:
    """One fact that one side has wrong."""

    fact: str
    kind: str
    expected: str
    said: str


def facts_by_file():
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(FACTS.glob("*.json"))}


def part_of(fact):
    return "held_out" if fact.get("held_out") else "open"


def page_of(facts):
    """Many facts on one page, each in a separate container."""
    boxes = "\n".join(f"<div>{fact['html']}</div>" for fact in facts)
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>facts</title><body>\n{boxes}\n</body></html>'


async def answers(page, server, name, facts):
    """What each side says of each fact: {fact id: {kind: words}}, ours and Chromium's."""
    server.made_up[f"facts/{name}.html"] = page_of(facts)
    await page.load(f"{server.origin}/facts/{name}.html")
    ours = {key: _ours(said) for key, said in (await page.walker_probe("[data-fact]")).items()}
    known = trees.elements(await page.document())
    theirs = {}
    # An element that Chromium leaves out of its tree altogether is one without a role and a name.
    absent = {"role": "generic", "name": "", "description": ""}
    for _, nodes in await page.ax_trees():
        for node in nodes:
            element = known.get(node.get("backendDOMNodeId", -1))
            if element is not None and "data-fact" in element.attributes:
                theirs.setdefault(element.attributes["data-fact"], _chromiums(node))
    return ours, {fact["id"]: absent for fact in facts} | theirs


def _ours(said):
    return {
        "role": _plain(said["role"]),
        "name": trees.tidy(said["name"]),
        "description": trees.tidy(said["description"]),
    }


def _chromiums(node):
    ignored = node.get("ignored")
    return {
        "role": "generic" if ignored else _plain(node["role"]["value"]),
        "name": "" if ignored else trees.tidy(node.get("name", {}).get("value")),
        "description": "" if ignored else trees.tidy(node.get("description", {}).get("value")),
    }


def _plain(role):
    """One role for everything without a meaning."""
    word = trees.spelled(role or "generic")
    return "generic" if word in trees.INTERNAL else word


def misses(facts, said):
    """The facts that one side has wrong."""
    return [
        Miss(fact["id"], kind, fact["expect"][kind], said.get(fact["id"], {}).get(kind, "(no answer)"))
        for fact in facts
        for kind in KINDS
        if kind in fact["expect"]
        and trees.tidy(fact["expect"][kind]) != said.get(fact["id"], {}).get(kind, "(no answer)")
    ]


def expected(facts):
    return Counter(kind for fact in facts for kind in fact["expect"])


def right(facts, wrong):
    """Share of right answers by kind, in percent."""
    asked, bad = expected(facts), Counter(miss.kind for miss in wrong)
    return {kind: percent(asked[kind] - bad[kind], asked[kind]) for kind in KINDS}

"""How many elements Chromium's own accessibility tree exposes, by the same notion as the oracle of the tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from tests.oracle.trees import ChromiumTree, elements, exposed, spelled


def our_elements(lines: list[str]) -> int:
    """Lines of a whole snapshot that stand for an element with such a role; the others are text, or mere wrappers."""
    count = 0
    for line in lines:
        role, _, rest = line.strip().partition(" ")
        count += not role.startswith('"') and exposed(spelled(role), "named" if rest.startswith('"') else "")
    return count


async def chromium_elements(send) -> int:
    """Elements with a role that says something, of one page without frames; parts that the browser draws are not
    counted.
    """
    document = (await send("DOM.getDocument", depth=-1, pierce=True))["root"]
    known = elements(document)
    nodes = (await send("Accessibility.getFullAXTree"))["nodes"]
    side = ChromiumTree([(None, nodes)], known).side
    return sum(not known[node.key].built_in for node in side.nodes)

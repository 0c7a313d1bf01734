"""The public methods that the clients declare, and those that the walk has a case for."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PACKAGES = ROOT / ".cache" / "walk"
WANTED = ("playwright-core@1.65", "puppeteer-core@24")
THERE = ("node_modules/playwright-core/package.json", "node_modules/puppeteer-core/package.json")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_MEMBER = re.compile(
    r"^  (?:abstract |static |readonly |get |set |async )*([a-zA-Z$_][\w$]*)\??[<(:]", re.MULTILINE
)
_DECLARED = {
    "playwright": ("playwright-core/types/types.d.ts", ("Page", "Frame", "Locator", "BrowserContext")),
    "puppeteer": ("puppeteer-core/lib/types.d.ts", ("Page", "Browser")),
}


def declared_methods(client: str) -> list[str]:
    """`Page.click` and so on, from the client's type declarations; properties are included."""
    path, kinds = _DECLARED[client]
    text = (PACKAGES / "node_modules" / path).read_text()
    return sorted(f"{kind}.{name}" for kind in kinds for name in _members(text, kind))


def _members(text: str, kind: str) -> set[str]:
    found = re.search(
        rf"^export (?:interface|declare (?:abstract )?class) {kind}\b[^{{]*\{{\n(.*?)^\}}",
        text,
        re.MULTILINE | re.DOTALL,
    )
    if found is None:
        raise LookupError(f"{kind} is not declared")
    return set(_MEMBER.findall(_COMMENT.sub("", found[1]))) - {"constructor"}


def case_names() -> dict[str, list[str]]:
    """The cases of each client."""
    given = json.dumps({"packages": str(PACKAGES), "site": "http://127.0.0.1:1"})
    done = subprocess.run(
        ["node", str(HERE / "cases.mjs"), given], capture_output=True, text=True, check=True, timeout=60
    )
    names: dict[str, list[str]] = json.loads(done.stdout)
    return names


def without_case(client: str) -> list[str]:
    """Declared methods that the walk does not call."""
    return sorted(set(declared_methods(client)) - set(case_names()[client]))

"""Link check: every relative link in Markdown files leads to a file, and to a heading that is there."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = ("*.md", "docs/*.md", "benchmarks/README.md")
_LINK = re.compile(r"(?<!!)\[[^]\n]*\]\(([^)\s]+)\)|!\[[^]\n]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def problems() -> list[str]:
    """All broken links, as `file: link (reason)`."""
    files = sorted({path for pattern in FILES for path in ROOT.glob(pattern)})
    return [
        f"{path.relative_to(ROOT)}: {link} ({why})"
        for path in files
        for link in _links_in(path.read_text(encoding="utf-8"))
        if (why := _problem(path, link))
    ]


def _links_in(text: str) -> list[str]:
    return [match[1] or match[2] for match in _LINK.finditer(_CODE.sub("", _FENCE.sub("", text)))]


def _problem(source: Path, link: str) -> str:
    if _ELSEWHERE.match(link):
        return ""
    name, _, anchor = link.partition("#")
    target = (source.parent / name).resolve() if name else source
    if not target.exists():
        return "no such file"
    if ROOT not in (target, *target.parents):
        return "outside the repository"
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return "no such heading"
    return ""


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a page's headings, as sites of Markdown files make them."""
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    return frozenset(
        _NOT_IN_ANCHORS.sub("", title.replace("`", "").lower()).strip().replace(" ", "-")
        for title in _HEADING.findall(text)
    )


def main() -> int:
    """Print the broken links."""
    found = problems()
    for line in found:
        sys.stderr.write(f"{line}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

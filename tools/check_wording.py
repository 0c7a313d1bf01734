"""Wording: phrases that texts for users, docs and docstrings avoid; the phrases are data in `wording.toml`.

Checked are strings and docstrings of `src`, docstrings of `tests` and `tools`, Markdown documents, and strings of the
extension and the page scripts. Paths on the command line limit the check to those files and folders; `--root=DIR`
checks another checkout.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatch
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
PATTERNS_FILE = Path(__file__).with_name("wording.toml")

STRINGS = ("src/**/*.py", "examples/**/*.py")
DOCSTRINGS = ("tests/**/*.py", "tools/**/*.py")
DOCUMENTS = (
    "*.md",
    "docs/**/*.md",
    "changes.d/*.md",
    "skills/**/*.md",
    "src/boathook/data/*.md",
)
SCRIPTS = ("extension/*.js", "src/boathook/engine/page_scripts/**/*.js", "src/boathook/surfaces/**/*.js")
MARKUP = ("extension/*.html",)
SKIPPED_FOLDERS = {"__pycache__", "vendor", "node_modules"}

_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_STRING = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|//[^\n]*|/\*.*?\*/""", re.DOTALL
)


@dataclass(frozen=True)
class Pattern:
    """A phrase to avoid, what to write instead, and an example of both."""

    find: re.Pattern[str]
    use: str
    catches: str
    passes: str
    exceptions: tuple[re.Pattern[str], ...] = ()
    files: tuple[str, ...] = ()

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Each match that is not inside an exception."""
        matches = list(self.find.finditer(text))
        if not matches:
            return
        allowed = [match.span() for exception in self.exceptions for match in exception.finditer(text)]
        for match in matches:
            if not any(start <= match.start() and match.end() <= end for start, end in allowed):
                yield match


@dataclass(frozen=True)
class Finding:
    """A phrase to avoid, and where it is."""

    path: str
    line: int
    text: str
    use: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text!r}: use {self.use}"


def load_patterns(path: Path = PATTERNS_FILE) -> list[Pattern]:
    """The patterns of a file."""
    return [
        Pattern(
            find=_compile(entry["find"]),
            use=entry["use"],
            catches=entry["catches"],
            passes=entry["passes"],
            exceptions=tuple(_compile(exception) for exception in entry.get("except", ())),
            files=tuple(entry.get("files", ())),
        )
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["pattern"]
    ]


def _compile(expression: str) -> re.Pattern[str]:
    """A space in a pattern matches line breaks too, since paragraphs wrap."""
    return re.compile(re.sub(r" (?![?*+])", r"\\s+", expression), re.IGNORECASE)


def findings(root: Path, patterns: list[Pattern]) -> Iterator[Finding]:
    """Every phrase to avoid below a folder."""
    for path, texts in _sources(root):
        name = path.relative_to(root).as_posix()
        chosen = [
            pattern
            for pattern in patterns
            if not pattern.files or any(fnmatch(name, glob) for glob in pattern.files)
        ]
        for line, text in texts:
            for pattern in chosen:
                for match in pattern.matches(text):
                    found = " ".join(match.group().split())
                    yield Finding(name, line + text.count("\n", 0, match.start()), found, pattern.use)


def _sources(root: Path) -> Iterator[tuple[Path, Iterator[tuple[int, str]]]]:
    readers = (
        (STRINGS, strings),
        (DOCSTRINGS, docstrings),
        (DOCUMENTS, documents),
        (SCRIPTS, script_strings),
        (MARKUP, markup_texts),
    )
    for globs, reader in readers:
        for path in sorted({path for glob in globs for path in root.glob(glob)}):
            if path.is_file() and not SKIPPED_FOLDERS.intersection(path.parts):
                yield path, reader(path.read_text(encoding="utf-8"))


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Every string of two words or more, with its line; the fixed parts of an f-string are one string."""
    tree = ast.parse(source)
    inside = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            text = node.value
        else:
            continue
        if len(text.split()) > 1:
            yield node.lineno, text


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """The docstrings of a module, its classes and its functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node, clean=False)
            if text is not None:
                yield node.body[0].lineno, text


def documents(source: str) -> Iterator[tuple[int, str]]:
    """Each paragraph of a Markdown document; fenced blocks are left out, since they show pages and output."""
    line = 1
    prose = _FENCED.sub(lambda block: "\n" * block.group().count("\n"), source)
    for paragraph in re.split(r"(\n\s*\n)", prose):
        if paragraph.strip():
            yield line, paragraph
        line += paragraph.count("\n")


def script_strings(source: str) -> Iterator[tuple[int, str]]:
    """The strings of a script that have two words or more; comments are left out."""
    for match in _STRING.finditer(source):
        if match.group(1) and len(match.group(1).split()) > 1:
            yield source.count("\n", 0, match.start()) + 1, match.group(1)[1:-1]


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.found.append((self.getpos()[0], data))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        shown = ("title", "placeholder", "aria-label", "alt")
        self.found += [(self.getpos()[0], value) for name, value in attrs if name in shown and value]


def markup_texts(source: str) -> Iterator[tuple[int, str]]:
    """The text of an HTML document, and the attributes that are shown."""
    parser = _Texts()
    parser.feed(source)
    yield from parser.found


def main(argv: list[str]) -> int:
    """Print the findings; the exit status is 1 when there are any."""
    root = next((Path(word.removeprefix("--root=")) for word in argv if word.startswith("--root=")), ROOT)
    places = [word for word in argv if not word.startswith("--")]
    problems = [
        finding
        for finding in findings(root, load_patterns())
        if not places or any(_is_below(finding.path, place) for place in places)
    ]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def _is_below(path: str, place: str) -> bool:
    place = place.removeprefix("./").rstrip("/")
    return path == place or path.startswith(place + "/") or fnmatch(path, place)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

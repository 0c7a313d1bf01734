"""Counts of structure and names, as a table: `count_structure.py [--path CHECKOUT] [--list]`.

- *Files in one level*: folders that hold more than 12, and more than 20, source files directly (not in subfolders), below
  `src`, `tests` and `extension`. A source file is a `.py`, `.js`, `.mjs`, `.cjs`, `.html` or `.css` file; `__init__.py` and
  `__main__.py` are not counted.
- *Module names used more than once*: base names of Python modules in `src`, `__init__` and `__main__` left out. Families of
  the generated Python API share names on purpose and count once.
- *Class names used more than once*: names of classes in `src`, with the same rule for the generated API.
- *Acting participles*: a function or method in `src` that is not a property, whose name starts or ends in a past
  participle, and that acts: it is asynchronous, or has a call as a statement (a call whose value is not used). A past
  participle is a word in `-ed` that is not in NOT_PARTICIPLES, or one of IRREGULAR. Words whose participle is also their
  base form (`read`, `set`, `put`, `cut`, `let`, `run`, `split`) are verbs and do not count. Let pass, and counted apart,
  are names that begin with a verb (LEADING_VERBS), handlers of events (`on_…`), predicates, and those in ALLOWED, each
  with its reason.
- *Loops over `one`*: `for` statements and comprehensions that bind the name `one`, everywhere.
- *Functions called `_`*: everywhere.
- *Banned phrases*: what `check_wording.py` finds (needs its patterns in the checkout).
- *Facts without a flip test*: fields of `Command` and `Parameter` that `tests/contract/test_facts.py` does not flip.
- *Tables by command name*: literals in `src` with three or more command names that are most of their strings, and comparisons
  of a command's name with a literal; TABLES_ALLOWED lists tool sets and other programs' commands.
- *Copies of the guard*: modules in `src` that check the header Sec-Fetch-Site.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LEVELS = ("src", "tests", "extension")
PYTHON = ("src", "tests", "tools", "benchmarks", "examples")
SUFFIXES = {".py", ".js", ".mjs", ".cjs", ".html", ".css"}
MANY, MOST = 12, 20
GENERATED = ("surfaces/python/asynchronous/", "surfaces/python/synchronous/", "surfaces/python/sync_api.py")
"""The generated Python API: the synchronous form repeats the names of the asynchronous one."""

IRREGULAR = frozenset(
    [
        "told",
        "seen",
        "known",
        "given",
        "taken",
        "held",
        "made",
        "kept",
        "found",
        "sent",
        "shown",
        "worn",
        "left",
        "lost",
        "met",
        "gone",
        "said",
        "heard",
        "brought",
        "built",
        "bound",
        "begun",
        "written",
        "drawn",
        "chosen",
        "broken",
        "hidden",
        "spoken",
        "forgotten",
        "meant",
        "done",
        "understood",
        "thought",
        "felt",
        "stood",
        "spent",
        "paid",
        "laid",
        "won",
        "dealt",
        "driven",
        "risen",
        "fallen",
        "stolen",
        "torn",
        "swept",
        "slept",
        "grown",
        "thrown",
        "sworn",
        "struck",
        "shrunk",
        "sunk",
        "bent",
        "born",
        "borne",
        "frozen",
        "given",
        "proven",
        "worn",
        "rewritten",
        "overridden",
        "undone",
        "withdrawn",
    ]
)
NOT_PARTICIPLES = frozenset(
    ["need", "feed", "seed", "embed", "speed", "exceed", "proceed", "indeed", "bed", "red", "shed"]
)

LEADING_VERBS = frozenset(
    [
        "add",
        "announce",
        "apply",
        "build",
        "call",
        "check",
        "choose",
        "clear",
        "close",
        "collect",
        "compare",
        "count",
        "create",
        "deliver",
        "describe",
        "draw",
        "drop",
        "end",
        "ensure",
        "fetch",
        "fill",
        "find",
        "fold",
        "forget",
        "format",
        "gather",
        "handle",
        "hold",
        "ignore",
        "install",
        "join",
        "keep",
        "list",
        "load",
        "log",
        "look",
        "make",
        "map",
        "mark",
        "match",
        "measure",
        "merge",
        "move",
        "note",
        "open",
        "parse",
        "post",
        "print",
        "raise",
        "read",
        "receive",
        "record",
        "register",
        "release",
        "remove",
        "render",
        "replace",
        "report",
        "require",
        "reset",
        "resolve",
        "restore",
        "run",
        "save",
        "say",
        "scan",
        "send",
        "serve",
        "set",
        "settle",
        "show",
        "spawn",
        "start",
        "stop",
        "store",
        "take",
        "tell",
        "try",
        "unlock",
        "unpack",
        "update",
        "verify",
        "wait",
        "walk",
        "write",
    ]
)
"""A name that begins with a verb acts on what its participle describes: `mark_crashed`, `set_checked`."""

PREDICATES = frozenset({"is", "has", "was"})

ALLOWED = {
    "data_received": "asyncio calls it",
    "connection_lost": "asyncio calls it",
    "tab_close_named": "the name of a command",
    "named_browser": "the name of a command",
    "scripted_execute": "the name of a command",
    "scripted_reset": "the name of a command",
    "_shared_memory": "the doctor prints the name of its check",
}


TABLES_ALLOWED = {
    "registry/tool_sets.py": "tool sets",
    "commands/tool_sets.py": "tool sets",
    "commands/views/": "the tools of other programs",
    "agent_browser_compat.py": "another program's commands",
    "borrowed_flags.py": "another program's commands",
    "commands/program/cli_aliases.py": "the actions of `find`, which another program has",
    "commands/program/find.py": "the actions of `find`, which another program has",
    "commands/wordings.py": "the actions of `find`, which another program has",
}
"""Files that may list commands by name, and why."""
MIN_NAMES = 3
SHARE = 0.6
STRUCTURE = frozenset(["name", "group", "summary", "details", "parameters", "run", "returns"])
"""Fields of a command that are not facts."""


@dataclass
class Counts:
    """What was found, each as a list of places."""

    found: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def rows(self) -> list[tuple[str, int]]:
        """The table: what, and how many."""
        return [(name, len(places)) for name, places in self.found.items()]


def count(root: Path) -> Counts:
    """Count everything below a checkout."""
    counts = Counts()
    for folder in LEVELS:
        for limit in (MANY, MOST):
            counts.found[f"folders in {folder} with over {limit} files in one level"] = list(
                _crowded(root / folder, limit)
            )
    trees = {path: _tree(root / path) for path in _python_files(root, PYTHON)}
    source = {path: tree for path, tree in trees.items() if path.startswith("src/")}
    counts.found["module names used more than once"] = _repeated(
        (Path(path).stem, path) for path in source if not path.endswith(("__init__.py", "__main__.py"))
    )
    counts.found["class names used more than once"] = _repeated(
        (node.name, path) for path, node in _nodes(source) if isinstance(node, ast.ClassDef)
    )
    acting = list(_acting(source))
    for name, wanted in (("acting participles", False), ("acting participles that are let pass", True)):
        counts.found[name] = [
            f"{path}:{node.lineno}: {node.name} {passes(node)}".rstrip()
            for path, node in acting
            if bool(passes(node)) is wanted
        ]
    counts.found["loops over `one`"] = [
        f"{path}:{line}" for path, node in _nodes(trees) for line in _ones(node)
    ]
    counts.found["functions called `_`"] = [
        f"{path}:{node.lineno}"
        for path, node in _nodes(trees)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == "_"
    ]
    counts.found["banned phrases"] = _banned(root)
    counts.found["facts without a flip test"] = _untested_facts(root, source)
    counts.found["tables by command name"] = name_tables(root)
    counts.found["copies of the guard"] = [
        path for path in source if "sec-fetch-site" in (root / path).read_text(encoding="utf-8").lower()
    ]
    return counts


def name_tables(root: Path) -> list[str]:
    """Literals keyed by command names, and comparisons with one, outside of the files that may have them."""
    source = {path: _tree(root / path) for path in _python_files(root, ["src"])}
    names = {node.name for _, node in _nodes(source) if _is_command(node)}
    return [
        f"{path}:{getattr(node, 'lineno', 0)}"
        for path, node in _nodes(source)
        if not any(part in path for part in TABLES_ALLOWED)
        and (_lists(node, names) or _compares(node, names))
    ]


def _is_command(node: ast.AST) -> TypeGuard[ast.AsyncFunctionDef]:
    return isinstance(node, ast.AsyncFunctionDef) and any(
        isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "command"
        for decorator in node.decorator_list
    )


def _lists(node: ast.AST, names: set[str]) -> bool:
    parts: list[ast.expr | None] = []
    if isinstance(node, ast.Dict):
        parts = node.keys
    elif isinstance(node, ast.Set | ast.List | ast.Tuple):
        parts = [*node.elts]
    strings = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    listed = [text for text in strings if text in names and "_" in text]
    return len(listed) >= MIN_NAMES and len(listed) >= SHARE * len(strings)


def _compares(node: ast.AST, names: set[str]) -> bool:
    """`command.name == "click"`, or `in` a literal of names."""
    if not isinstance(node, ast.Compare) or not ast.unparse(node.left).endswith(
        ("command.name", "outcome.command")
    ):
        return False
    strings = [
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return any(text in names for text in strings)


def _untested_facts(root: Path, source: dict[str, ast.Module]) -> list[str]:
    declared = {
        f"{node.name}.{part.target.id}"
        for path, node in _nodes(source)
        if path.endswith("/registry.py")
        and isinstance(node, ast.ClassDef)
        and node.name in {"Command", "Parameter"}
        for part in node.body
        if isinstance(part, ast.AnnAssign)
        and isinstance(part.target, ast.Name)
        and part.target.id not in STRUCTURE
    }
    tests = root / "tests/contract/test_facts.py"
    flipped: set[str] = set()
    for node in ast.walk(_tree(tests)) if tests.exists() else ():
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Dict)
            and isinstance(node.targets[0], ast.Name)
        ):
            owner = {"FLIPS": "Command", "PARAMETER_FLIPS": "Parameter"}.get(node.targets[0].id, "")
            flipped |= {
                f"{owner}.{ast.literal_eval(key)}" for key in node.value.keys if isinstance(key, ast.Constant)
            }
    return sorted(declared - flipped)


def _banned(root: Path) -> list[str]:
    """What the wording check of this checkout finds in the other one."""
    tool = Path(__file__).with_name("check_wording.py")
    done = subprocess.run(
        [sys.executable, str(tool), f"--root={root}"], capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()


def is_participle(word: str) -> bool:
    """Whether a word is a past participle."""
    return word in IRREGULAR or (
        word.endswith("ed") and len(word) > len("ed") and word not in NOT_PARTICIPLES
    )


def is_acting_participle(node: ast.AST) -> bool:
    """Whether this is a function that acts under the name of a participle, and nothing lets it pass."""
    return _acts_as_participle(node) and not passes(node)


def passes(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Why a name is let pass though it has a participle at an end; nothing when it is not."""
    first = node.name.strip("_").split("_")[0]
    if first == "on":
        return "a handler is named after its event"
    if first in PREDICATES:
        return "a predicate"
    if first in LEADING_VERBS:
        return "begins with a verb"
    return ALLOWED.get(node.name, "")


def _acts_as_participle(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or _is_property(node):
        return False
    words = node.name.strip("_").split("_")
    if not (is_participle(words[0]) or is_participle(words[-1])):
        return False
    return isinstance(node, ast.AsyncFunctionDef) or any(
        isinstance(part, ast.Expr) and isinstance(part.value, ast.Call | ast.Await) for part in ast.walk(node)
    )


def _acting(
    trees: dict[str, ast.Module],
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path, node in _nodes(trees):
        if _acts_as_participle(node):
            yield path, node


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = (ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list)
    return any(name in {"property", "cached_property", "setter"} for name in names)


def _ones(node: ast.AST) -> Iterator[int]:
    if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        for part in ast.walk(node.target):
            if isinstance(part, ast.Name) and part.id == "one":
                yield part.lineno


def _crowded(folder: Path, limit: int) -> Iterator[str]:
    held: dict[Path, int] = defaultdict(int)
    for path in folder.rglob("*"):
        if (
            path.suffix in SUFFIXES
            and path.stem not in {"__init__", "__main__"}
            and "__pycache__" not in path.parts
        ):
            held[path.parent] += 1
    for parent, files in sorted(held.items()):
        if files > limit:
            yield f"{parent.relative_to(folder.parent).as_posix()}: {files} files"


def _repeated(names: Iterable[tuple[str, str]]) -> list[str]:
    places: dict[str, list[str]] = defaultdict(list)
    for name, path in names:
        if not any(part in path for part in GENERATED):
            places[name].append(path)
    return [f"{name}: {', '.join(paths)}" for name, paths in sorted(places.items()) if len(paths) > 1]


def _python_files(root: Path, folders: Iterable[str]) -> Iterator[str]:
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            if "__pycache__" not in path.parts:
                yield path.relative_to(root).as_posix()


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _nodes(trees: dict[str, ast.Module]) -> Iterator[tuple[str, ast.AST]]:
    for path, tree in trees.items():
        for node in ast.walk(tree):
            yield path, node


def main(argv: list[str]) -> int:
    """Print the table; with `--list` every place too."""
    reading = argparse.ArgumentParser(prog="count_structure.py")
    reading.add_argument("--path", type=Path, default=Path(__file__).resolve().parent.parent)
    reading.add_argument("--list", action="store_true")
    options = reading.parse_args(argv)
    counts = count(options.path.resolve())
    for name, number in counts.rows():
        print(f"{number:5}  {name}")
        if options.list:
            for place in counts.found[name]:
                print(f"         {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

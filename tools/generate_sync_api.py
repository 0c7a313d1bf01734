"""Writes surfaces/python/sync_api.py from async_api.py: the same names and parameters, without `await`.

`--check` writes nothing and fails when the file is not current.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "src/boathook/surfaces/python"
SOURCE, RESULT = FOLDER / "async_api.py", FOLDER / "sync_api.py"
CLASSES = ("Browser", "Tab")
NOT_TAKEN_OVER = ("__future__", "boathook.surfaces.python.async_api")
"""Imports that would be wrong here: the classes of these names are generated."""
TAB_PARTS = ("tab_actions.py", "tab_primitives.py", "tab_reading.py", "tab_watching.py")
"""Files whose classes are mixed into the public Tab."""

HEAD = '''"""The synchronous Python API, generated from async_api.py by tools/generate_sync_api.py; do not edit.

Every call runs on a loop in a thread of its own, so it also works where a loop is running already (notebooks).
"""

from __future__ import annotations

from boathook.surfaces.python import async_api
from boathook.surfaces.python.portal import Portal
'''

OPEN_FUNCTION = '''

def {name}({parameters}) -> Browser:
    """{doc}"""
    portal = Portal()
    try:
        return Browser(portal, portal.call(async_api.{name}({arguments})))
    except BaseException:
        portal.close()
        raise
'''

CLASS_HEADS = {
    "Browser": '''

class Browser:
    """{doc}"""

    def __init__(self, portal: Portal, inner: async_api.Browser) -> None:
        self._portal = portal
        self._inner = inner

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End a browser that we started; disconnect from one that we did not."""
        try:
            self._portal.call(self._inner.close())
        finally:
            self._portal.close()
''',
    "Tab": '''

class Tab:
    """{doc}"""

    def __init__(self, portal: Portal, inner: async_api.Tab) -> None:
        self._portal = portal
        self._inner = inner

    def __repr__(self) -> str:
        return repr(self._inner)
''',
}

PROPERTY = '''
    @property
    def {name}(self) -> {returns}:
        """{doc}"""
        return self._inner.{name}
'''

METHOD = '''
    def {name}({parameters}) -> {returns}:
        """{doc}"""
        {body}
'''


def arguments_of(function: ast.AsyncFunctionDef | ast.FunctionDef) -> str:
    """The call that passes all parameters on."""
    given = function.args
    parts = [arg.arg for arg in given.args if arg.arg != "self"]
    if given.vararg:
        parts.append("*" + given.vararg.arg)
    parts += [f"{arg.arg}={arg.arg}" for arg in given.kwonlyargs]
    return ", ".join(parts)


def body_of(function: ast.AsyncFunctionDef) -> str:
    """One line that forwards, with tabs wrapped."""
    call = f"self._portal.call(self._inner.{function.name}({arguments_of(function)}))"
    returns = ast.unparse(function.returns) if function.returns else "None"
    if returns == "None":
        return call
    if returns == "Tab":
        return f"return Tab(self._portal, {call})"
    if returns == "list[Tab]":
        return f"return [Tab(self._portal, tab) for tab in {call}]"
    return f"return {call}"


def doc_of(node: ast.AsyncFunctionDef | ast.FunctionDef | ast.ClassDef) -> str:
    """The docstring, said for blocking code."""
    text = (ast.get_docstring(node) or "").replace("`async with`", "`with`")
    return f"{text}\n" if "\n" in text else text


def members_of(node: ast.ClassDef) -> str:
    """Properties and public methods of one class."""
    out = ""
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and any(
            isinstance(mark, ast.Name) and mark.id == "property" for mark in item.decorator_list
        ):
            out += PROPERTY.format(
                name=item.name, returns=ast.unparse(item.returns or ast.Name("None")), doc=doc_of(item)
            )
        if isinstance(item, ast.AsyncFunctionDef) and not item.name.startswith("_"):
            if node.name == "Browser" and item.name == "close":
                continue
            out += METHOD.format(
                name=item.name,
                parameters=ast.unparse(item.args),
                returns=ast.unparse(item.returns or ast.Name("None")),
                doc=doc_of(item),
                body=body_of(item),
            )
    return out


def _part(name: str) -> str:
    """The members of a class that is mixed into Tab."""
    tree = ast.parse((FOLDER / name).read_text())
    return "".join(members_of(node) for node in tree.body if isinstance(node, ast.ClassDef))


def imports_of(*names: str) -> str:
    """Everything that the sources import for types or defaults; what is not used is taken out again by ruff."""
    lines = []
    for name in names:
        tree = ast.parse((FOLDER / name).read_text())
        imports = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module not in NOT_TAKEN_OVER
        ]
        lines += [ast.unparse(node) for node in imports]
    return "\n".join(sorted(set(lines)))


def generate() -> str:
    """The whole module, formatted."""
    tree = ast.parse(SOURCE.read_text())
    text = HEAD + imports_of(SOURCE.name, *TAB_PARTS) + "\n"
    for node in tree.body:
        if isinstance(node, ast.AsyncFunctionDef) and not node.name.startswith("_"):
            text += OPEN_FUNCTION.format(
                name=node.name,
                parameters=ast.unparse(node.args),
                doc=doc_of(node),
                arguments=arguments_of(node),
            )
        if isinstance(node, ast.ClassDef) and node.name in CLASSES:
            text += CLASS_HEADS[node.name].format(doc=doc_of(node)) + members_of(node)
            text += "".join(_part(part) for part in TAB_PARTS) if node.name == "Tab" else ""
    ruff = [sys.executable, "-m", "ruff"]
    name = ["--stdin-filename", str(RESULT), "-"]
    rules = "D209,F401,F811,I001,TC"
    tidy = [*ruff, "check", "--fix-only", "--unsafe-fixes", "--quiet", "--select", rules, *name]
    text = subprocess.run(tidy, input=text, capture_output=True, text=True, check=True).stdout
    return subprocess.run(
        [*ruff, "format", *name], input=text, capture_output=True, text=True, check=True
    ).stdout


def main() -> int:
    """Write or check."""
    wanted = generate()
    if "--check" in sys.argv:
        if not RESULT.exists() or RESULT.read_text() != wanted:
            print(f"{RESULT.name} is not current: run `make gen`")
            return 1
        return 0
    RESULT.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Reads what the Python API is made of: the commands, the views of their values, and what is written by hand."""

from __future__ import annotations

import ast
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ROOT / "src/boathook/commands"
REGISTRY = ROOT / "src/boathook/registry"
API = ROOT / "src/boathook/surfaces/python"
HANDLES = ("Browser", "Tab")
"""The classes that users hold."""
NOT_TAKEN_OVER = ("boathook.registry.parameters", "boathook.registry.registry")
"""Imports of commands that concern other surfaces; methods have plain types."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A command as a method: of which class, by which name, with which parameters after `self`."""

    owner: str
    name: str
    family: str
    function: str
    parameters: ast.arguments
    returns: str
    """The return type of the command, before it becomes a view."""
    doc: str

    @property
    def arguments(self) -> str:
        """The call that passes all parameters on."""
        return arguments_of(self.parameters)

    @property
    def value(self) -> str:
        """The type of the result, or of its items if it is a list."""
        return self.returns.removeprefix("list[").removesuffix("]")

    @property
    def gives_list(self) -> bool:
        """Whether it returns a list."""
        return self.value != self.returns

    @property
    def hands_out_tabs(self) -> bool:
        """Whether it must be beside the class Tab, since it creates instances of it."""
        return self.value == "Tab"


def parsed(path: Path) -> ast.Module:
    """A parsed source file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def families() -> list[str]:
    """The files of commands, in order; tools of other programs are not methods."""
    for node in parsed(COMMANDS / "__init__.py").body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FAMILIES":
            return [family for family in ast.literal_eval(node.value) if not family.startswith("views.")]
    raise LookupError("commands/__init__.py names no FAMILIES")


def family_file(family: str) -> Path:
    """The file of a family: `pages.navigate` is commands/pages/navigate.py."""
    return COMMANDS / f"{family.replace('.', '/')}.py"


@cache
def views() -> dict[str, str]:
    """Result types of commands and their views, from results.py."""
    for node in parsed(API / "result_views.py").body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "VIEWS":
            table = node.value
            if isinstance(table, ast.Dict):
                return {
                    ast.unparse(key): ast.unparse(value)
                    for key, value in zip(table.keys, table.values, strict=True)
                    if key is not None
                }
    raise LookupError("results.py has no table VIEWS")


@cache
def own_views() -> list[str]:
    """Classes of results.py itself."""
    return [node.name for node in parsed(API / "result_views.py").body if isinstance(node, ast.ClassDef)]


def methods() -> dict[str, list[Method]]:
    """The methods of the commands by family; families without any are omitted."""
    made = {
        family: methods_of(family_file(family).read_text(encoding="utf-8"), family=family)
        for family in families()
    }
    return {family: some for family, some in made.items() if some}


def methods_of(source: str, *, family: str) -> list[Method]:
    """The methods of a file of commands."""
    tree = ast.parse(source)
    names = {**_shared_parameters(), **_aliases(tree)}
    made = [
        _method(node, family=family, names=names)
        for node in tree.body
        if isinstance(node, ast.AsyncFunctionDef)
    ]
    return [method for method in made if method is not None and method.owner in HANDLES]


@cache
def _shared_parameters() -> dict[str, ast.expr]:
    """The names in parameters.py, and what each stands for."""
    return _aliases(parsed(REGISTRY / "parameters.py"))


def _aliases(tree: ast.Module) -> dict[str, ast.expr]:
    """Names that a module gives to types, which are written out in methods."""
    return {
        ast.unparse(node.targets[0]): node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Subscript)
        and ast.unparse(node.value.value) in {"Annotated", "Literal"}
    }


def _method(node: ast.AsyncFunctionDef, *, family: str, names: dict[str, ast.expr]) -> Method | None:
    facts = next((facts for facts in map(_facts, node.decorator_list) if facts is not None), None)
    if facts is None or "tool_set" in facts or "True" in {facts.get("as_property"), facts.get("cli_only")}:
        return None
    parameters = _with_timeout(deepcopy(node.args), facts.get("timeout"))
    subject = parameters.args[0].annotation
    parameters.args[0] = ast.arg("self")
    for argument in (*parameters.args, *parameters.kwonlyargs, *filter(None, [parameters.vararg])):
        if argument.annotation is not None:
            argument.annotation = _plain(argument.annotation, names)
    named = facts.get("method")
    return Method(
        owner=ast.unparse(subject) if subject is not None else "",
        name=ast.literal_eval(named) if named else node.name,
        family=family,
        function=node.name,
        parameters=parameters,
        returns=returns_of(node),
        doc=doc_of(node),
    )


def _with_timeout(parameters: ast.arguments, default: str | None) -> ast.arguments:
    """What callers pass is a timeout; the deadline that a handler receives is made from it."""
    kept = [
        (parameter, value)
        for parameter, value in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
        if parameter.arg != "deadline"
    ]
    if default is not None:
        kept.append((ast.arg("timeout", ast.Name("float")), ast.Name(default)))
    parameters.kwonlyargs = [parameter for parameter, _ in kept]
    parameters.kw_defaults = [value for _, value in kept]
    return parameters


def _facts(decorator: ast.expr) -> dict[str, str] | None:
    """The properties of a command; None for other decorators."""
    if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "command":
        return None
    return {fact.arg: ast.unparse(fact.value) for fact in decorator.keywords if fact.arg is not None}


def _plain(annotation: ast.expr, names: dict[str, ast.expr]) -> ast.expr:
    """A type without the annotations for other surfaces."""
    if isinstance(annotation, ast.Name) and annotation.id in names:
        return _plain(names[annotation.id], names)
    if isinstance(annotation, ast.BinOp):
        left, right = _plain(annotation.left, names), _plain(annotation.right, names)
        return ast.BinOp(left, annotation.op, right)
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated":
        inside = annotation.slice
        return _plain(inside.elts[0] if isinstance(inside, ast.Tuple) else inside, names)
    return annotation


def arguments_of(given: ast.arguments) -> str:
    """The call that passes all parameters on."""
    parts = [arg.arg for arg in given.args if arg.arg != "self"]
    if given.vararg:
        parts.append("*" + given.vararg.arg)
    parts += [f"{arg.arg}={arg.arg}" for arg in given.kwonlyargs]
    return ", ".join(parts)


def returns_of(node: ast.AsyncFunctionDef | ast.FunctionDef) -> str:
    """The return type of a function."""
    return ast.unparse(node.returns) if node.returns is not None else "None"


def doc_of(node: ast.AsyncFunctionDef | ast.FunctionDef | ast.ClassDef) -> str:
    """The docstring; one of several lines ends with a line break."""
    text = ast.get_docstring(node) or ""
    return f"{text}\n" if "\n" in text else text


def first_line_of(path: Path) -> str:
    """The docstring of a file."""
    return (ast.get_docstring(parsed(path)) or "").partition("\n")[0]


def class_in(path: Path, *, name: str) -> ast.ClassDef:
    """A class of a file."""
    return next(node for node in parsed(path).body if isinstance(node, ast.ClassDef) and node.name == name)


def imports_of(*files: Path) -> str:
    """Everything that the sources import for types or defaults: both begin with a capital, functions and modules do not."""
    lines = set()
    for file in files:
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ImportFrom) and node.module not in NOT_TAKEN_OVER:
                lines |= {
                    ast.unparse(ast.ImportFrom(node.module, [name], 0))
                    for name in node.names
                    if name.name[0].isupper() and (name.asname or name.name) not in HANDLES
                }
    return "\n".join(sorted(lines)) + "\n"

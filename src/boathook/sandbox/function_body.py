"""A script's code as the body of an async function, as text: for an interpreter that does not accept an AST."""

from __future__ import annotations

import ast
import io
import tokenize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "__script__"
LINES_BEFORE = 1
"""Lines added before the script's first line."""


def as_function(code: str) -> str:
    """The code inside a function, with the same line numbers; the value of a last expression is returned."""
    tree = ast.parse(code)
    lines = code.splitlines(keepends=True)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        line = lines[last.lineno - 1].encode()
        lines[last.lineno - 1] = (line[: last.col_offset] + b"return " + line[last.col_offset :]).decode()
    inside = set(_inside_of_texts("".join(lines)))
    body = "".join(line if number in inside else f" {line}" for number, line in enumerate(lines, 1))
    return f"async def {NAME}():\n{body}\n pass\n"


def _inside_of_texts(code: str) -> Iterator[int]:
    """Lines that start inside a string: indentation would become part of it."""
    begun: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        name = tokenize.tok_name[token.type]
        if name in {"FSTRING_START", "TSTRING_START"}:
            begun.append(token.start[0])
        elif name in {"FSTRING_END", "TSTRING_END"}:
            yield from range(begun.pop() + 1, token.end[0] + 1)
        elif name == "STRING":
            yield from range(token.start[0] + 1, token.end[0] + 1)

"""How near one Markdown text is to another: shared words, and tables and code blocks that came through whole."""

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence

Table = list[list[str]]

# One character of these scripts is one token: they are written without spaces.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
# An underscore is a Markdown mark more often than a part of a word, so it ends a word on both sides alike.
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_FENCE = re.compile(r"^(?P<indent>[ >]*)(?P<ticks>`{3,}|~{3,})(?P<info>.*)$")
# An address may hold one level of brackets of its own, and a title behind it.
_ADDRESS = re.compile(r"\]\((?:[^()\n]|\([^()\n]*\))*\)")
_LIST_MARK = re.compile(r"^[\s>]*(?:[-*+]|\d+[.)])\s+", re.MULTILINE)
_HTML_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>|<!--.*?-->", re.DOTALL)
_RULE_CELL = re.compile(r":?-+:?")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"[*`~\\]+")


def token_f1(expected: str, found: str) -> float:
    """The harmonic mean of precision and recall over the words of two Markdown texts, order aside."""
    wanted, given = Counter(tokens(expected)), Counter(tokens(found))
    if not wanted or not given:
        return float(wanted == given)
    shared = (wanted & given).total()
    return 2 * shared / (wanted.total() + given.total())


def tokens(markdown: str) -> list[str]:
    """The words a reader sees: no marks, no link URLs, no list numbers, case folded."""
    words: list[str] = []
    for is_code, text in _parts(markdown):
        words += _TOKEN.findall((text if is_code else plain(text)).casefold())
    return words


def plain(markdown: str) -> str:
    """Prose without its Markdown marks; fences must have been taken out before."""
    text = _ADDRESS.sub("]", markdown)
    text = _LIST_MARK.sub("", text)
    text = _HTML_TAG.sub(" ", text)
    return _MARKS.sub("", html.unescape(text))


def code_blocks(markdown: str) -> list[str]:
    """The text of each fenced block, without trailing blanks and blank lines at its ends."""
    return [_tidy_code(text) for is_code, text in _parts(markdown) if is_code]


def tables(markdown: str) -> list[Table]:
    """The pipe tables: rows of cell texts, without the rule under the head and without wholly empty rows."""
    found: list[Table] = []
    for is_code, text in _parts(markdown):
        if not is_code:
            found += _pipe_tables(text.splitlines())
    return found


def tables_intact(expected: str, found: Sequence[Table]) -> tuple[int, int]:
    """How many of the expected tables are among those found, and how many there should be."""
    wanted = tables(expected)
    return sum(any(same_table(table, other) for other in found) for table in wanted), len(wanted)


def code_intact(expected: str, found: Sequence[str]) -> tuple[int, int]:
    """How many of the expected code blocks are found character for character, and how many there should be."""
    wanted = code_blocks(expected)
    given = {_tidy_code(block) for block in found}
    return sum(block in given for block in wanted), len(wanted)


def same_table(expected: Table, found: Table) -> bool:
    """Equal cell for cell; a cell that a wide neighbour covers may be empty or repeat that neighbour."""
    if len(expected) != len(found):
        return False
    width = max(len(row) for row in expected)
    wanted = [_padded(row, width=width) for row in expected]
    given = [_padded(row, width=width) for row in found]
    return all(_same_row(wanted, given, row=row) for row in range(len(wanted)))


def cell_text(markdown: str) -> str:
    """A cell as a reader sees it: marks gone, white space single."""
    return " ".join(re.sub(r"!?\[|[\]_]", "", plain(markdown)).split())


def _same_row(wanted: list[list[str]], given: list[list[str]], *, row: int) -> bool:
    if len(wanted[row]) != len(given[row]):
        return False
    for column, (want, give) in enumerate(zip(wanted[row], given[row], strict=True)):
        if want == give:
            continue
        left = given[row][column - 1] if column else None
        above = given[row - 1][column] if row else None
        if want or give not in {left, above}:
            return False
    return True


def _padded(row: list[str], *, width: int) -> list[str]:
    return row + [""] * (width - len(row))


def _parts(markdown: str) -> Iterator[tuple[bool, str]]:
    """The text cut into prose and the insides of fences, in order."""
    lines: list[str] = []
    opening: re.Match[str] | None = None
    for line in markdown.splitlines():
        mark = _FENCE.match(line)
        if opening is None and mark:
            yield False, "\n".join(lines)
            opening, lines = mark, []
        elif opening is not None and _closes(mark, opening):
            yield True, "\n".join(lines)
            opening, lines = None, []
        else:
            lines.append(_unindented(line, opening["indent"]) if opening else line)
    yield opening is not None, "\n".join(lines)


def _closes(mark: re.Match[str] | None, opening: re.Match[str]) -> bool:
    return mark is not None and not mark["info"].strip() and mark["ticks"].startswith(opening["ticks"])


def _unindented(line: str, indent: str) -> str:
    """A code line of a fence that stands inside a list or a quote, without the marks of those."""
    if line.startswith(indent):
        return line[len(indent) :]
    return "" if line.rstrip() == indent.rstrip() or not line.strip() else line


def _tidy_code(text: str) -> str:
    lines = [line.rstrip() for line in text.expandtabs(4).splitlines()]
    return "\n".join(lines).strip("\n")


def _pipe_tables(lines: Sequence[str]) -> list[Table]:
    found: list[Table] = []
    rows: list[list[str]] = []
    for line in [*lines, ""]:
        bare = line.lstrip("> \t").rstrip()
        if bare.startswith("|"):
            rows.append([cell.strip() for cell in _CELL_BORDER.split(bare.removesuffix("|")[1:])])
            continue
        if len(rows) > 1:
            found.append(_without_rule(rows))
        rows = []
    return found


def _without_rule(rows: list[list[str]]) -> Table:
    kept = [row for row in rows if not all(_RULE_CELL.fullmatch(cell) for cell in row)]
    texts = [[cell_text(cell.replace("\\|", "|")) for cell in row] for row in kept]
    return [row for row in texts if any(row)]

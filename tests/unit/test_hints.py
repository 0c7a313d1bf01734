"""Hints name only what the caller's surface has: every hint of the source, on every surface."""

import ast
import inspect
import json
import re
from pathlib import Path

import pytest

import boathook
from boathook import errors, hints
from boathook.commands import catalogue
from boathook.service.input.command_line import LONGEST_NAME, read_line, table_of
from boathook.service.output.tool_surface import ToolSurface, tool_templates
from boathook.service.surface_renderer import COMMAND_LINE, PYTHON
from boathook.settings import SETTINGS
from boathook.surfaces.cli.setup_command import SWITCHES, VALUES
from boathook.surfaces.mcp.tool_catalog import read_tool_catalog

SOURCE = Path(boathook.__file__).parent
COMMANDS = catalogue()
TABLE = table_of({name: command for name, command in COMMANDS.items() if not command.tool_set})
OF_THE_PROGRAM = {"daemon", "relay", "extension", "mcp", "help", "uninstall"}
"""Commands that the program answers without the daemon's registry."""
OF_OTHERS = {"--remote-debugging-port", "--shm-size", "--force-reinstall", "--name=value", "--name"}
"""Flags of Chromium, docker and pip."""
OWN_OPTIONS = {"--port", "--json", "--js-page"}
SETS = ("core", "full", "argv", "single", "direct", "named")
GIVEN = {"browser_url": "http://127.0.0.1:9222"}
SAMPLES = {
    "join(words)": "--fresh --headed",
    "setting.name": "proxy",
    "_CLOSE": "close some",
    "other": "user",
}
"""What stands for the changing parts of hints, by a part of their source."""
FORBIDDEN = {
    "a command line": re.compile(r"\bboathook (?!mcp\b|again\b|is\b)[a-z]"),
    "a flag": re.compile(r"(?<![\w-])--[a-z][\w-]*"),
    "a keyword": re.compile(r"\b(?!text=|label=|role=)[a-z_]+=(?:True|False|None|…|')"),
    "a method": re.compile(r"\b(?:tab|browser|boathook)\.[a-z_]+\("),
    "a command": re.compile(
        r"\b(?:{})\b".format(
            "|".join(
                sorted(
                    {
                        " ".join(words)
                        for words in TABLE
                        if len(words) > 1 and words[0] != "wait" and words[-1].islower()
                    }
                )
            )
        )
    ),
}


def literal(node):
    """A string with placeholder values; empty if it is not a literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        written = ast.unparse(node.value)
        return next((value for part, value in SAMPLES.items() if part in written), "x")
    if isinstance(node, ast.BinOp):
        return literal(node.left) + literal(node.right)
    return ""


def branches(node):
    if isinstance(node, ast.IfExp):
        return [*branches(node.body), *branches(node.orelse)]
    return [literal(node)]


def hints_of(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found = []
        if isinstance(node, ast.Call):
            found = [keyword.value for keyword in node.keywords if keyword.arg == "hint"]
            name = getattr(node.func, "id", "")
            found += (
                node.args[1:2] if name in {"Deny", "Denial"} else node.args[3:4] if name == "_symptom" else []
            )
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            found = [node.value] if name in {"default_hint", "_CLOSE", "_WITHOUT_NODE", "_PRIVATE"} else []
        for match in found:
            yield from (
                (f"{path.relative_to(SOURCE)}:{match.lineno}", text) for text in branches(match) if text
            )


def every_hint():
    left_out = ("surfaces/cli", "surfaces/scripts", "service/scripts/script_helpers.py")
    for path in sorted(SOURCE.rglob("*.py")):
        if not str(path.relative_to(SOURCE)).startswith(left_out):
            yield from hints_of(path)


EVERY = list(every_hint())
MARKED = [(where, text) for where, text in EVERY if "`" in text]


def surface_of(tools):
    tool_catalog = read_tool_catalog([tools], scripts=True, programs=True)
    keys = tuple(tool.key for tool in tool_catalog)
    return ToolSurface(
        tools=tool_templates(keys), table=TABLE, own_session="mcp-x", given=GIVEN
    ), tool_catalog


def test_there_are_hints_to_look_at():
    assert len(EVERY) > 300
    assert len(MARKED) > 80
    kinds = [
        var for var in vars(errors).values() if inspect.isclass(var) and issubclass(var, errors.BoathookError)
    ]
    assert {kind.default_hint for kind in kinds if kind.default_hint} <= {text for _, text in EVERY}


@pytest.mark.parametrize(("where", "text"), EVERY, ids=[where for where, _ in EVERY])
def test_what_only_some_callers_have_is_marked(where, text):
    plain = re.sub(r"`[^`]+`", "", text)
    for flag in OF_OTHERS:
        plain = plain.replace(flag, "")
    for what, pattern in FORBIDDEN.items():
        found = pattern.search(plain)
        assert found is None, f"{where}: {text!r} names {what} without a mark: {found[0]!r}"


def test_the_check_for_marks_finds_what_it_looks_for():
    for text in (
        "boathook session list shows them", "give --cdp", "use headless=True", "tab.pdf() saves it", "end it: record stop",
    ):  # fmt: skip
        assert any(pattern.search(text) for pattern in FORBIDDEN.values()), text


def test_on_the_command_line_every_marked_part_is_something_that_can_be_typed():
    known = {setting.flag for setting in SETTINGS.values()} | OWN_OPTIONS | {*SWITCHES, *VALUES}
    for command in COMMANDS.values():
        for parameter in command.parameters:
            known |= {parameter.flag, *(other.flag for other in parameter.also)}
    for where, text in MARKED:
        for part in hints.marked_parts(text):
            if re.fullmatch(r"--[\w-]+(?: \S+)?", part):
                assert part.partition(" ")[0] in known, (where, part)
            elif part.startswith("="):
                assert part[1:] in SETTINGS or part == "=tools", (where, part)
            elif not part.startswith("? "):
                assert can_be_typed(part), (where, part)
        assert "`" not in COMMAND_LINE.hint(text, command="")


def can_be_typed(line):
    words = line.split()
    if words[0] in OF_THE_PROGRAM or "COMMAND" in words:
        return True
    begins = any(tuple(words[:length]) in TABLE for length in range(1, LONGEST_NAME + 1))
    return begins or read_line(words, TABLE) is not None


def test_in_python_every_method_and_keyword_exists():
    objects = {"tab": boathook.Tab, "browser": boathook.Browser, "boathook": boathook}
    keywords = set(inspect.signature(boathook.launch).parameters)
    for holder in (boathook.Tab, boathook.Browser):
        for method in vars(holder).values():
            keywords |= set(inspect.signature(method).parameters) if inspect.isfunction(method) else set()
        for base in holder.__mro__:
            for method in vars(base).values():
                keywords |= set(inspect.signature(method).parameters) if inspect.isfunction(method) else set()
    said = 0
    for where, text in MARKED:
        hint = PYTHON.hint(text, command="")
        assert "`" not in hint
        assert not FORBIDDEN["a command line"].search(hint), (where, hint)
        for holder, name in re.findall(r"\b(tab|browser|boathook)\.(\w+)", hint.replace("boathook.toml", "")):
            assert hasattr(objects[holder], name), (where, hint)
            said += 1
        for name in re.findall(r"\b([a-z_]+)=(?:True|…)", hint):
            assert name in keywords, (where, hint)
            said += 1
    assert said > 30


@pytest.mark.parametrize("tools", SETS)
def test_over_mcp_every_tool_and_parameter_is_offered(tools):
    surface, tool_catalog = surface_of(tools)
    by_name = {tool.name: tool for tool in tool_catalog}
    said = 0
    for where, text in MARKED:
        for part in hints.marked_parts(text):
            if part.startswith(("=", "? ")):
                continue
            alone = surface.hint(f"`{part}`", command="")
            said += bool(alone)
            if alone:
                assert is_a_call(alone, by_name), (where, part, alone)
        hint = surface.hint(text, command="")
        assert "`" not in hint
        rest = hint.replace("boathook mcp --", "")
        for flag in OF_OTHERS:
            rest = rest.replace(flag, "")
        if tools != "argv":
            for what in ("a command line", "a flag", "a method", "a keyword"):
                assert not FORBIDDEN[what].search(rest), (where, hint, what)
    assert said > 0 or tools in {"named", "direct"}


def is_a_call(said, by_name):
    if said.startswith("{"):
        words = json.loads(said)["args"]
        if words == ["--help"]:
            return True
        plain = [word for word in words if not word.startswith("--")]
        return "agent_browser" in by_name and any(
            tuple(plain[:n]) in TABLE for n in range(1, LONGEST_NAME + 1)
        )
    if said.startswith("--"):
        return "agent_browser" in by_name
    name, _, arguments = said.partition(" ")
    given = json.loads(arguments) if arguments else {}
    return name in by_name and set(given) <= set(by_name[name].parameters)


@pytest.mark.parametrize("tools", SETS)
def test_a_flag_is_said_as_a_parameter_of_the_tool_that_was_called(tools):
    surface, tool_catalog = surface_of(tools)
    seen = 0
    for command in COMMANDS.values():
        behind = [tool for tool in tool_catalog if command.name in tool.kinds.values()]
        for parameter in command.parameters:
            said = surface.hint(f"`{parameter.flag} X`", command=command.name)
            if said and not any(tool.takes_words for tool in tool_catalog):
                assert any(said in tool.parameters for tool in behind)
                seen += 1
    assert seen > 5 or tools == "argv"


def test_a_phrase_that_a_surface_cannot_say_is_left_out():
    marked = "close what is not needed|: `session list`|; or allow more: `=max_browsers`"
    assert COMMAND_LINE.hint(marked, command="") == (
        "close what is not needed: boathook session list; or allow more: --max-browsers"
    )
    assert PYTHON.hint(marked, command="") == "close what is not needed"
    core, full = surface_of("core")[0], surface_of("full")[0]
    assert (
        core.hint(marked, command="")
        == "close what is not needed; or allow more: boathook mcp --max-browsers"
    )
    assert full.hint(marked, command="") == (
        "close what is not needed: session_list; or allow more: boathook mcp --max-browsers"
    )
    assert core.hint("`session list` shows them|, or ask", command="") == "ask"
    assert core.hint("`session list` shows them", command="") == ""


def test_text_of_others_cannot_be_taken_for_a_mark():
    assert hints.render(hints.plain("`close --all`| x") + " `open URL`", hints.COMMAND_LINE) == (
        "'close --all'/ x boathook open URL"
    )

"""Command lines: every way to write them, and one clear line for each mistake."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathook.commands import catalogue
from boathook.errors import BadRequest, BoathookError
from boathook.registry.registry import Between, Doc, Short, command, forget, registered
from boathook.service.input.argument_types import bind_arguments
from boathook.service.input.command_line import read_line, table_of
from boathook.service.output.output_guard import OutputGuard


async def sample_click(
    tab: object,
    target: Annotated[str, Doc("element to press")],
    *,
    button: Annotated[Literal["left", "right"], Doc("mouse button")] = "left",
    count: Annotated[int, Doc("how often"), Between(1, 3)] = 1,
    offset: Annotated[tuple[float, float] | None, Doc("where in it")] = None,
    force: Annotated[bool, Doc("without checks"), Short("f")] = False,
) -> None:
    """Click an element."""


async def sample_wait(
    tab: object,
    target: Annotated[str | None, Doc("element")] = None,
    *,
    state: Annotated[Literal["hidden", "visible"], Doc("what it should be")] = "visible",
    interactive: Annotated[bool, Doc("only controls"), Short("i")] = False,
    depth: Annotated[int | None, Doc("levels"), Short("d")] = None,
) -> None:
    """Wait for an element."""


async def sample_upload(
    tab: object,
    target: Annotated[str, Doc("field")],
    *files: Annotated[Path, Doc("files to give")],
) -> None:
    """Upload files."""


@pytest.fixture(scope="module")
def table():
    names = []
    for function, words in (
        (sample_click, ["click", "mouse click"]),
        (sample_wait, ["wait"]),
        (sample_upload, []),
    ):
        command(group="test", examples=("x",), aliases=words)(function)
        names.append(function.__name__)
    yield table_of({name: registered()[name] for name in names})
    for name in names:
        forget(name)


@pytest.mark.parametrize(
    ("argv", "name", "arguments", "around"),
    [
        (["click", "@e2"], "sample_click", {"target": "@e2"}, {}),
        (["mouse", "click", "@e2"], "sample_click", {"target": "@e2"}, {}),
        (["sample-click", "@e2", "--button=right"], "sample_click", {"target": "@e2", "button": "right"}, {}),
        (["--session", "a", "click", "@e2", "--count", "2"], "sample_click", {"target": "@e2", "count": 2}, {"session": "a"}),
        (["click", "@e2", "--json", "-f"], "sample_click", {"target": "@e2", "force": True}, {"json": True}),
        (["click", "--offset", "3,-4", "@e2", "--no-force"], "sample_click",
         {"target": "@e2", "offset": (3.0, -4.0), "force": False}, {}),
        (["click", "--", "--odd"], "sample_click", {"target": "--odd"}, {}),
        (["wait", "#spinner", "--state", "hidden"], "sample_wait", {"target": "#spinner", "state": "hidden"}, {}),
        (["wait", "-id", "3"], "sample_wait", {"interactive": True, "depth": 3}, {}),
        (["wait", "-5"], "sample_wait", {"target": "-5"}, {}),
        (["sample", "upload", "#f", "a.txt", "b.txt"], "sample_upload", {"target": "#f", "files": ["a.txt", "b.txt"]}, {}),
        (["--no-color", "--timeout=2.5", "wait"], "sample_wait", {}, {"color": "never", "timeout": 2.5}),
    ],
)  # fmt: skip
def test_a_line_is_read(table, argv, name, arguments, around):
    line = read_line(argv, table)
    assert (line.command.name, line.arguments, line.settings) == (name, arguments, around)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "no command given"),
        (["clik", "@e2"], "did you mean .*click"),
        (["mouse", "clack"], "unknown command: 'mouse clack' .did you mean mouse click"),
        (["click"], "click needs target: element to press .*usage: boathook click <target>"),
        (["click", "@e2", "@e3"], "unexpected argument: '@e3'"),
        (["click", "@e2", "--buton", "left"], "click has no option --buton .did you mean --button"),
        (["click", "@e2", "--button", "centre"], "button must be one of left, right, not 'centre'"),
        (["click", "@e2", "--count", "nine"], "count must be a number, not 'nine'"),
        (["click", "@e2", "--count", "9"], "count must be between 1 and 3"),
        (["click", "@e2", "--count"], "--count needs a value"),
        (["click", "@e2", "--offset", "3"], "two numbers"),
        (["click", "@e2", "--state", "hidden", "--sesion", "x"], "did you mean --session"),
        (["click", "@e2", "--provider", "x"], "is not supported"),
        (["--timeout", "soon", "click", "@e2"], "--timeout must be a number"),
        (["--color=pink", "click", "@e2"], "one of auto, always, never"),
    ],
)
def test_a_mistake_is_one_clear_line(table, argv, said):
    with pytest.raises(BadRequest) as error:
        read_line(argv, table)
    line = OutputGuard().error_in_text(error.value).rstrip("\n")
    assert re.search(said, line)
    assert "\n" not in line


def test_help_is_asked_for_anywhere(table):
    assert read_line(["click", "--help"], table).wants_help
    assert read_line(["wait", "x", "-h"], table).wants_help


WORDS = st.one_of(
    st.sampled_from(
        [
            "click",
            "wait",
            "mouse",
            "sample",
            "upload",
            "--state",
            "--json",
            "--count",
            "-id",
            "--",
            "-",
            "@e2",
        ]
    ),
    st.text(max_size=12),
)


@settings(max_examples=300)
@given(argv=st.lists(WORDS, max_size=8))
def test_any_words_are_a_line_or_a_typed_error(table, argv):
    with suppress(BoathookError):
        line = read_line(argv, table)
        assert set(line.arguments) <= {parameter.name for parameter in line.command.parameters}


@pytest.mark.parametrize(
    "offset", [["", ""], [1], [1, 2, 3], "x", "1", {"x": 1}, [True, 2], [float("nan"), 1], "inf,1", [[1], 2]]
)
def test_an_offset_that_is_not_two_numbers_is_refused(offset):
    drag = catalogue()["drag"]
    with pytest.raises(BadRequest, match=r"offset.*two numbers such as 10,20"):
        bind_arguments(drag, {"source": "@e1", "offset": offset})
    assert bind_arguments(drag, {"source": "@e1", "offset": [10, 20.5]})["offset"] == (10.0, 20.5)
    assert bind_arguments(drag, {"source": "@e1", "offset": "10,20"})["offset"] == (10.0, 20.0)


def test_null_stands_for_the_default():
    assert bind_arguments(catalogue()["reload"], {"wait_until": None, "timeout": 3}) == {"timeout": 3}
    with pytest.raises(BadRequest, match="needs target"):
        bind_arguments(catalogue()["click"], {"target": None})

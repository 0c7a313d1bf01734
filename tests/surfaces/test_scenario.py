"""The same task on every surface, step by step, with the same results."""

import asyncio
import json
import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from examples.ticket_desk.demo import SITE, served

import boathook
from boathook.commands import catalogue
from boathook.errors import BoathookError
from boathook.presentation.all_renderers import as_text
from boathook.registry.registry import Scope
from boathook.service.input.command_line import read_line, table_of
from tests.support.engine import engine_of
from tests.support.thorough import sample
from tests.surfaces.mcp_surfaces import McpHttpSurface, McpStdioSurface

STEPS = tomllib.loads((Path(__file__).parent / "scenario.toml").read_text())["step"]
LEAST_STEPS = 40


def test_the_scenario_is_long_enough():
    assert len(STEPS) >= LEAST_STEPS


class PythonSurface:
    """The methods of the Python API that the lines mean."""

    def __init__(self, folder):
        self._table = table_of(catalogue())

    async def __aenter__(self):
        self._browser = await boathook.launch()
        self._tab = await self._browser.open()
        return self

    async def __aexit__(self, *_):
        await self._browser.close()

    async def run(self, lines):
        return [await self._one(shlex.split(line)) for line in lines]

    async def _one(self, argv):
        line = read_line(argv, self._table)
        tab = self._tab
        if "tab" in line.settings:
            tab = await self._browser.tab(line.settings["tab"])
        try:
            value = await self._called(line, tab)
        except BoathookError as error:
            return str(error), error.code
        return value if isinstance(value, str) else as_text_of(value), ""

    async def _called(self, line, tab):
        one = line.command
        if one.cli_only and one.scope is Scope.HOST:  # the API has what it leads to
            one = catalogue()["_".join(one.aliases[0])]
        subject = {"tab": tab, "browser": self._browser}[one.scope.value]
        positional = [
            line.arguments.pop(p.name, p.default)
            for p in one.parameters
            if p.positional and not p.variadic and not p.selects_tab
        ]
        for p in one.parameters:
            if p.variadic:
                positional += line.arguments.pop(p.name, [])
        if one.cli_only:
            return await one.run(engine_of(tab), *positional, **line.arguments)
        member = getattr(type(subject), one.method or one.name)
        if isinstance(member, property):
            return member.fget(subject)
        value = await member(subject, *positional, **line.arguments)
        if isinstance(value, boathook.Tab):
            self._tab = value
        elif one.name == "tab_close":
            self._tab = (await self._browser.tabs())[-1]
        return value


def as_text_of(value):
    if isinstance(value, list) and value and isinstance(value[0], boathook.Tab):
        return "\n".join(f"{tab.id} {tab.url}" for tab in value)
    plain = (boathook.Acted, boathook.SnapshotView, boathook.Reading, boathook.Screenshot)
    return str(value) if isinstance(value, plain) else as_text(getattr(value, "_value", value))


class CommandLineSurface:
    """The `boathook` program, a process for each step."""

    def __init__(self, folder):
        self._folder = folder
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        self._environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "HOME": str(folder)}

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.program(["daemon", "stop"])

    async def program(self, argv, stdin=None):
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "boathook", *argv],
            cwd=self._folder,
            env=self._environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return done.stdout, done.stderr, done.returncode

    async def run(self, lines):
        return [await self._one(shlex.split(line)) for line in lines]

    async def _one(self, argv):
        out, err, status = await self.program(argv)
        if status == 0:
            return out, ""
        return err, err.partition("\n")[0].rpartition("[")[2].rstrip("]\n ")


class BatchSurface(CommandLineSurface):
    """All steps in one call."""

    async def run(self, lines):
        steps = json.dumps([shlex.split(line) for line in lines])
        out, err, _status = await self.program(["--json", "batch"], stdin=steps)
        assert out, err
        return [(step["text"], step["code"]) for step in json.loads(out)["data"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "open_surface",
    sample([PythonSurface, CommandLineSurface, BatchSurface, McpStdioSurface, McpHttpSurface], 3),
)
async def test_the_same_work_is_done_on_every_surface(open_surface, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    with served(SITE) as site:
        lines = [step["line"].format(site=site, folder=folder) for step in STEPS]
        async with open_surface(tmp_path) as opened:
            answers = await opened.run(lines)
    wrong = []
    for step, (text, code) in zip(STEPS, answers, strict=True):
        missing = [words for words in step.get("says", ()) if words not in text]
        if code != step.get("fails", "") or missing:
            wrong.append((step["line"], code, missing, text[:300]))
    assert wrong == []
    assert {path.name for path in folder.iterdir()} == {"receipt.txt", "page.png", "page.pdf", "state.json"}

"""The recipes of docs/scripts.md answer what is shown under them.

`pytest tests/scripts/test_recipes.py --write-docs` updates the output.
"""

import re
from pathlib import Path

import pytest
from examples.ticket_desk.demo import SITE, served

from boathook.sandbox import jail
from tests.support.program import Program

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "scripts.md"
RECIPE = re.compile(r"### (\d+)\. ([^\n]+)\n\n```py\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


@pytest.mark.slow
@pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here")
def test_every_recipe_answers_what_is_shown_under_it(tmp_path, request):
    text = PAGE.read_text()
    program = Program(tmp_path)
    with served(SITE) as site:

        def cooked(match):
            assert program("open", f"{site}/index.html").returncode == 0
            done = program("run", "-", stdin=match[3])
            assert done.returncode == 0, f"{match[2]}: {done.stderr}"
            return match[0].removesuffix(f"{match[4]}```") + done.stdout + "```"

        try:
            real = RECIPE.sub(cooked, text)
        finally:
            program.stop()
    if request.config.getoption("--write-docs"):
        PAGE.write_text(real)
    assert real == PAGE.read_text()


def test_there_are_ten_recipes():
    assert [int(number) for number, *_ in RECIPE.findall(PAGE.read_text())] == list(range(1, 11))

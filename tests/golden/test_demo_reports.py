"""The report of each step of the demo: within its budget, complete, and with reviewed wording.

`pytest tests/golden --write-golden` updates the reports.
"""

import re
import tomllib
from pathlib import Path

from examples.ticket_desk.demo import SITE, served

import boathook
from boathook.presentation.tokens import estimate_tokens
from tests.golden.test_golden import renumbered

HERE = Path(__file__).parent
STEPS = tomllib.loads((HERE / "demo_steps.toml").read_text())["step"]
MOST_TOKENS = 400


async def reports_of_the_demo(tab):
    reports = {}
    for step in STEPS:
        options = {"nth": step["nth"]} if "nth" in step else {}
        reports[step["name"]] = str(await getattr(tab, step["action"])(*step["arguments"], **options))
        if step.get("then") == "dismiss":
            await tab.answer_dialog(accept=False)
    return reports


async def test_every_step_of_the_demo_tells_what_it_must_within_its_budget(request):
    # A browser of its own: refs with many digits cost more, and less would fit into the budget.
    with served(SITE) as origin:
        async with await boathook.launch() as browser:
            reports = await reports_of_the_demo(await browser.open(f"{origin}/index.html"))
    missing = {
        step["name"]: [words for words in step["must_contain"] if words not in reports[step["name"]]]
        for step in STEPS
    }
    assert {name: words for name, words in missing.items() if words} == {}
    costs = {name: estimate_tokens(report) for name, report in reports.items()}
    assert {name: cost for name, cost in costs.items() if cost > MOST_TOKENS} == {}
    text = "\n\n".join(f"# {name}\n{report}" for name, report in reports.items()) + "\n"
    text = renumbered(re.sub(r"127\.0\.0\.1:\d+", "site", text))
    file = HERE / "demo_reports.txt"
    if request.config.getoption("--write-golden"):
        file.write_text(text)
    assert text == file.read_text()

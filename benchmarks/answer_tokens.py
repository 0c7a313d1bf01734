"""What action answers cost a model, in o200k tokens: the demo, the form task, and `act` of the MCP core set.

python -m benchmarks.answer_tokens [--write]

Every answer is counted as it reaches a model. `--write` keeps the figures in results/answer_tokens.json; without it the
answers are compared with those that were kept. The limit is growth of 5 % in total.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import tomllib
from contextlib import contextmanager
from pathlib import Path

from benchmarks import fixtures
from examples.ticket_desk.demo import SITE, served
from rs_bpe.bpe import openai

import boathook
from tests.mcp.clients import Home, text_of

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "benchmarks/results/answer_tokens.json"
MOST_GROWTH = 0.05
FORM_STEPS = (
    ("fill", "label=First name", "Ada"),
    ("fill", "label=Last name", "Byron"),
    ("fill", "label=Email", "ada@example.org"),
    ("fill", "label=City", "London"),
    ("fill", "label=Notes", "x" * 120),
    ("select", "label=Size", "m"),
    ("check", "label=Accept terms"),
    ("click", "text=Place order"),
)
ACT_CALLS = (
    {"kind": "click", "target": "text=Press me"},
    {"kind": "fill", "target": "label=Plain input", "value": "plain"},
    {"kind": "type", "target": "label=Plain input", "text": " words"},
    {"kind": "fill", "target": "label=Long text", "value": "The quick brown fox. " * 10},
    {"kind": "clear", "target": "label=Plain input"},
    {"kind": "select", "target": "label=Colour", "wanted": ["green"]},
    {"kind": "check", "target": "label=Agree"},
    {"kind": "uncheck", "target": "label=Agree"},
    {"kind": "hover", "target": "text=Press me"},
    {"kind": "focus", "target": "label=Plain input"},
    {"kind": "press", "target": "label=Plain input", "key": "Enter"},
    {"kind": "tap", "target": "text=Press me"},
)


def count(text: str) -> int:
    """Tokens by o200k_base; refs and ports are made alike, so that two runs can be compared."""
    same = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8000", re.sub(r"@e\d+", "@e12", text))
    return len(openai.o200k_base().encode(same))


@contextmanager
def pages():
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "form.html").write_bytes(fixtures.FORM)
        (Path(folder) / "actions.html").write_bytes(fixtures.ACTIONS)
        with served(Path(folder)) as origin:
            yield origin


async def demo(browser) -> dict[str, str]:
    steps = tomllib.loads((ROOT / "tests/golden/demo_steps.toml").read_text())["step"]
    answers = {}
    with served(SITE) as origin:
        tab = await browser.open(f"{origin}/index.html")
        for step in steps:
            options = {"nth": step["nth"]} if "nth" in step else {}
            answers[step["name"]] = str(await getattr(tab, step["action"])(*step["arguments"], **options))
            if step.get("then") == "dismiss":
                await tab.answer_dialog(accept=False)
    return answers


async def form(browser, origin: str) -> dict[str, str]:
    tab = await browser.open(f"{origin}/form.html")
    return {" ".join(step)[:40]: str(await getattr(tab, step[0])(*step[1:])) for step in FORM_STEPS}


async def core_set(origin: str) -> dict[str, str]:
    with tempfile.TemporaryDirectory(prefix="bh") as folder:
        home = Home(folder)
        try:
            async with home.client() as client:
                await client.call_tool("open", {"url": f"{origin}/actions.html"})
                return {json.dumps(call): text_of(await client.call_tool("act", call)) for call in ACT_CALLS}
        finally:
            home.say("daemon", "stop")


async def measured() -> dict[str, dict[str, str]]:
    with pages() as origin:
        async with await boathook.launch() as browser:
            return {
                "demo": await demo(browser),
                "form": await form(browser, origin),
                "act": await core_set(origin),
            }


def main() -> int:
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--write", action="store_true")
    options = reading.parse_args()
    answers = asyncio.run(measured())
    figures = {task: {name: count(text) for name, text in texts.items()} for task, texts in answers.items()}
    if options.write:
        KEPT.write_text(json.dumps(figures, indent=1) + "\n")
    kept = json.loads(KEPT.read_text())
    for task, costs in figures.items():
        for name, cost in costs.items():
            if cost != kept[task].get(name):
                print(
                    f"{task}: {name}: {kept[task].get(name)} -> {cost}\n  "
                    + answers[task][name].replace("\n", "\n  ")
                )
        before, after = sum(kept[task].values()), sum(costs.values())
        print(f"{task}: {len(costs)} answers, {before} -> {after} tokens ({after / before - 1:+.1%})")
    before, after = (sum(sum(costs.values()) for costs in item.values()) for item in (kept, figures))
    print(f"total: {before} -> {after} tokens ({after / before - 1:+.1%}, at most {MOST_GROWTH:+.0%})")
    return 1 if after > before * (1 + MOST_GROWTH) else 0


if __name__ == "__main__":
    sys.exit(main())

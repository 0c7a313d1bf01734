"""Run the tasks: `python -m benchmarks.tasks.run [--tools a,b] [--tasks file] [--only words] [--out file]`."""

from __future__ import annotations

import argparse
import asyncio
import json
import tomllib
from pathlib import Path

from benchmarks.tasks.server import Site
from benchmarks.tasks.solver import Solver
from benchmarks.tasks.tools import TOOLS

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results" / "tasks.json"
TASK_SECONDS = 90


async def attempt(tool, site: Site, task: dict) -> dict:
    """One task with one tool."""
    site.posted.clear()
    try:
        await tool.open(f"{site.url}/{task['page']}")
    except Exception as error:
        return {"solved": False, "calls": 0, "tokens": 0, "errors": [f"open: {str(error)[:160]}"]}
    if "check" in task and await _holds(tool, task["check"]):
        return {"solved": False, "calls": 0, "tokens": 0, "errors": ["the check holds before the task"]}
    solver = Solver(tool)
    try:
        await asyncio.wait_for(solver.solve(task["steps"]), TASK_SECONDS)
        found = await _found(tool, site, task)
    except Exception as error:
        solver.errors.append(f"{type(error).__name__}: {str(error)[:160]}")
        found = False
    return {"solved": found, "calls": solver.calls, "tokens": solver.read, "errors": solver.errors}


async def _holds(tool, check: str) -> bool:
    return "true" in await tool.evaluate(
        f"(() => {{ try {{ return Boolean({check}) }} catch {{ return false }} }})()"
    )


async def _found(tool, site: Site, task: dict) -> bool:
    if "posted" in task:
        return site.posted == task["posted"]
    for _ in range(10):  # models that follow a timer
        if await _holds(tool, task["check"]):
            return True
        await asyncio.sleep(0.1)
    return False


async def run(names: list[str], only: str, file: str) -> dict:
    """All tasks of a file with all tools."""
    tasks = [task for task in tomllib.loads((HERE / file).read_text())["task"] if only in task["id"]]
    results: dict = {name: {} for name in names}
    with Site() as site:
        for name in names:
            async with TOOLS[name]() as tool:
                for task in tasks:
                    print(f"{name:14} {task['id']:32} ", end="", flush=True)
                    results[name][task["id"]] = done = await attempt(tool, site, task)
                    print("ok" if done["solved"] else "FAILED", [error[:110] for error in done["errors"][:2]])
    return results


def summary(results: dict) -> list[str]:
    """A table: solved, calls, errors, tokens per solved task; the last column over tasks that all solve."""
    names = list(results)
    all_solve = [task for task in results[names[0]] if all(results[name][task]["solved"] for name in names)]
    rows = [
        "| tool | solved | of | calls | errors | tokens per solved task | tokens on tasks that all solve |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in names:
        done = results[name].values()
        solved = [one for one in done if one["solved"]]
        shared = sum(results[name][task]["tokens"] for task in all_solve)
        rows.append(
            f"| {name} | {len(solved)} | {len(done)} | {sum(one['calls'] for one in done)} | {sum(len(one['errors']) for one in done)}"
            f" | {sum(one['tokens'] for one in solved) // max(1, len(solved))} | {shared} ({len(all_solve)} tasks) |"
        )
    return rows


def main() -> None:
    """Read the options, run, print, keep."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--tasks", default="tasks.toml")
    parser.add_argument("--only", default="")
    parser.add_argument("--out", default="")
    given = parser.parse_args()
    results = asyncio.run(run(given.tools.split(","), given.only, given.tasks))
    print("\n".join(summary(results)))
    if given.out:
        Path(given.out).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()

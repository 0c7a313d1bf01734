"""The daemon and its client alone: what a warm call costs beside an interpreter that only starts, and how much memory it takes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile

import drivers
import psutil

from items import actions

SNAPSHOTS = 20
RUNS = 12
LARGE_PAGE = "flat/20000"
FLOOR = [sys.executable, "-c", "import socket, json"]


async def client_and_memory(run) -> None:
    """A daemon of its own, so that nothing that other items did is counted."""
    driver = drivers.make_or_none("boathook-cli", run)
    if driver is None:
        return
    await driver.start()
    try:
        await actions.fill_form(driver, run.url("form"))
        run.record.fact(driver.name, "D.form", rss_mb=_resident(driver))
        warm_call(run, driver)
        await driver.open(run.url(LARGE_PAGE))
        for number in range(SNAPSHOTS):
            # Each differs from the one before: equal ones would be kept once.
            await driver.evaluate(
                f"() => {{ document.querySelector('button, a').textContent = 'Look {number}' }}"
            )
            await driver.snapshot()
        run.record.fact(driver.name, "D.snapshots", rss_mb=_resident(driver), snapshots=SNAPSHOTS)
    except Exception as error:
        run.record.error(driver.name, "D", error)
    finally:
        await driver.stop()
    run.save()
    run.print("D done", run.record.facts.get(driver.name, {}))


def warm_call(run, driver) -> None:
    """Both by hyperfine, in the same run and by the same interpreter."""
    if shutil.which("hyperfine") is None:
        run.record.error(driver.name, "D.get_url", RuntimeError("hyperfine is not installed"))
        return
    for _ in range(run.options.rounds):  # in turn, so that changes of load hit both alike
        floor, ours = _measured([FLOOR, [driver.bin, "get", "url"]], driver._env)
        for tool, times in (("python", floor), (driver.name, ours)):
            for seconds in times:
                run.record.add(tool, "D.get_url", seconds * 1e3)


def _measured(commands: list[list[str]], environment: dict) -> list[list[float]]:
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run(
            ["hyperfine", "-N", "--warmup", "3", "--runs", str(RUNS), "--style", "none"]
            + ["--export-json", file.name, *map(_quoted, commands)],
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # advice about outliers
        )
        return [result["times"] for result in json.load(file)["results"]]


def _quoted(words: list[str]) -> str:
    return " ".join(f"'{word}'" for word in words)


def _resident(driver) -> float:
    """Megabytes of the daemon's process alone; its browsers are Chromium's business."""
    [pid] = driver.roots()
    return round(psutil.Process(pid).memory_info().rss / 1e6, 1)

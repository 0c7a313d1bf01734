"""A batch: what a hundred steps cost in one call beside a hundred calls of the command line.

  python benchmarks/items/batch.py [--rounds 5]

The same commands on the same page, in turns. Results go to benchmarks/results/batch.json; the bar is a tenth.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STEPS = 100
BAR = 0.1
PAGE = "data:text/html,<title>Batch</title><input aria-label=Name><button>Go</button><p id=words>Words</p>"
KINDS = (["get", "title"], ["get", "text", "#words"], ["is", "visible", "button"], ["get", "count", "input"])


def main() -> int:
    ask = argparse.ArgumentParser(description="A batch of a hundred steps beside a hundred calls.")
    ask.add_argument("--rounds", type=int, default=5)
    rounds = ask.parse_args().rounds
    steps = [list(KINDS[number % len(KINDS)]) for number in range(STEPS)]
    with tempfile.TemporaryDirectory(prefix="bh") as folder:
        environment = {**os.environ, "HOME": folder, "XDG_RUNTIME_DIR": folder}
        call = [str(Path(sys.executable).parent / "boathook")]

        def run(*argv: str, stdin: str | None = None) -> None:
            subprocess.run(
                [*call, *argv],
                env=environment,
                cwd=folder,
                input=stdin or "",
                text=True,
                check=True,
                capture_output=True,
            )

        try:
            run("open", PAGE)
            together, apart = [], []
            for _ in range(rounds):
                began = time.perf_counter()
                run("batch", stdin=json.dumps(steps))
                together.append(time.perf_counter() - began)
                began = time.perf_counter()
                for step in steps:
                    run(*step)
                apart.append(time.perf_counter() - began)
        finally:
            run("daemon", "stop")
    ratio = statistics.median(together) / statistics.median(apart)
    told = {
        "steps": STEPS,
        "rounds": rounds,
        "batch_ms": round(statistics.median(together) * 1_000, 1),
        "calls_ms": round(statistics.median(apart) * 1_000, 1),
        "ratio": round(ratio, 4),
        "bar": BAR,
    }
    (ROOT / "benchmarks/results/batch.json").write_text(json.dumps(told, indent=1) + "\n")
    print(json.dumps(told))
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())

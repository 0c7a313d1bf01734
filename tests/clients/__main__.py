"""`make clients`: runs every client, prints the table, and writes it into docs/mcp.md if there are no failures.

`python -m tests.clients [--latest] [--keep FOLDER] [NAME …]` runs some of them, or their latest versions, and keeps the requests
that their models got.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.clients.clients import CLIENTS
from tests.clients.drivers import ROOT
from tests.clients.report import NotRun, Run, markdown_table, plain_table
from tests.clients.running import run_client

PAGE = ROOT / "docs/mcp.md"
BEGIN, END = "<!-- clients: written by make clients -->", "<!-- clients: end -->"


def main(argv: list[str]) -> int:
    """Run the clients; 1 when a row is a failure."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(CLIENTS)}")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the requests that the models got")
    parser.add_argument("--latest", action="store_true", help="the latest versions instead of the known ones")
    asked = parser.parse_args(argv)
    if unknown := [name for name in asked.names if name not in CLIENTS]:
        parser.error(f"no such client: {', '.join(unknown)}")
    rows = []
    for name in asked.names or CLIENTS:
        print(f"running {name}", file=sys.stderr, flush=True)
        rows.append(run_client(name, latest=asked.latest, keep=asked.keep))
    print(plain_table(rows))
    failed = _report(rows)
    runs = [row for row in rows if isinstance(row, Run)]
    if not failed and len(runs) == len(CLIENTS) and not asked.latest:
        _write(markdown_table(runs))
    return 1 if failed else 0


def _report(rows: list[Run | NotRun]) -> bool:
    """Print the details of the table; returns whether a row is a failure."""
    failed = False
    for row in rows:
        if isinstance(row, NotRun):
            print(f"{row.client}: not run: {row.reason}")
            continue
        for problem in row.problems:
            failed = True
            print(f"{row.client}: {problem}")
        if not row.isolated:
            print(f"{row.client}: without a network namespace, behind proxies that are closed")
    return failed


def _write(table: str) -> None:
    before, begin, rest = PAGE.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE.name} has no place for the table")
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

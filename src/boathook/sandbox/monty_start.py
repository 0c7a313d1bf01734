"""The start of Monty, the interpreter of the engine `safe`: a process that jails itself and then runs it."""

from __future__ import annotations

import json
import os

from boathook.sandbox import jail


def become_monty(facts: str, words: list[str]) -> None:
    """Jail this process and exec the interpreter; it exits with its parent."""
    order = json.loads(facts)
    jail.end_with_parent()
    if order["jail"]:
        jail.close_in(
            readable=[],
            writable=[],
            cpu_seconds=int(order["cpu_seconds"]),
            programs=[order["monty"], *order["libraries"]],
            memory_bytes=int(order["memory_bytes"]),
            version=order["landlock"],
        )
    os.execve(order["monty"], [order["monty"], *words], {})  # noqa: S606 (that is what it is to become)

"""A scripted caller that knows only next actions, and the failures that it has to recover from.

It runs the failing call, then what the answer offers: a call that only reads first, then the offered calls in order. After each
that acts it repeats the failing call. It reads no message and no page. A failure is recovered when its goal holds and, if it
names an answer, when that was printed; by reading alone, or with calls that act, which are counted apart.
"""

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

FAILURES = tomllib.loads(Path(__file__).with_name("failures.toml").read_text())["failure"]
MOST_CALLS = 5
SOON = ("--timeout", "0.6")
"""For calls that find nothing: they need not wait for it."""
STARTS_BROWSER = {"launch"}
"""Failures whose recovery repeats the call in a new browser: it keeps the call's own timeout."""
_REF = re.compile(r"\{ref:(.*)\}")


@dataclass(frozen=True)
class Recovery:
    """What the caller came to."""

    kind: str
    failed: dict
    """The answer to the failing call."""
    is_recovered: bool
    acted: bool
    """Whether a call was needed that does more than read."""
    broken: tuple
    """Offered calls that failed when they were sent."""


class Caller:
    """Sends command lines to a daemon."""

    def __init__(self, program, site):
        self.program = program
        self.site = site
        self.said = ""

    def run(self, argv):
        answer = self.program.ask("--json", *argv)
        told = json.loads(answer.out)
        self.said += json.dumps(told, ensure_ascii=False)
        return told

    def begin(self, failure):
        """Open the page of a failure and do what comes before its call; returns the call."""
        page = self.site.page(failure["page"], title="")
        if not self.run(["open", page])["ok"]:  # the failure before it left a dialog
            self.run(["--fresh", "open", page])
        seen = ""
        for argv in failure.get("first", ()):
            told = self.run(argv)
            seen = told.get("text", "") if argv[0] == "snapshot" else seen
        self.said = ""
        return [*timeout_of(failure), *(_with_ref(word, seen) for word in failure["call"])]

    def is_reached(self, failure):
        told = json.loads(self.program.ask("--json", "eval", f"Boolean({failure['goal']})").out)
        return told.get("data") is True and failure.get("answer", "") in self.said


def timeout_of(failure):
    return () if failure["kind"] in STARTS_BROWSER else SOON


def _with_ref(word, seen):
    """A placeholder such as {ref:Save}: the ref that a snapshot listed for this name."""
    wanted = _REF.fullmatch(word)
    return re.search(rf'"{re.escape(wanted[1])}" (@e\d+)', seen)[1] if wanted else word


def recover(caller, failure):
    """Run a failing call and what its answer offers, until the goal is reached."""
    call = caller.begin(failure)
    failed = caller.run(call)
    offered = [action for action in failed.get("next", ()) if "params" in action]
    queue = sorted(offered, key=lambda action: not action["safe"])[:1]
    queue += [action for action in offered if action not in queue]
    acted, broken = False, []
    for action in queue[:MOST_CALLS]:
        answer = caller.run(action["params"]["args"])
        acted = acted or not action["safe"]
        if not answer["ok"]:
            broken.append((action["id"], answer["error"]))
            continue
        if caller.is_reached(failure):
            return Recovery(failure["kind"], failed, True, acted, tuple(broken))
        if not action["safe"] and caller.run(call)["ok"] and caller.is_reached(failure):
            return Recovery(failure["kind"], failed, True, acted, tuple(broken))
    return Recovery(failure["kind"], failed, False, acted, tuple(broken))

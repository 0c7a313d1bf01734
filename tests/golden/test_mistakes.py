"""Typical mistakes of agents: each is answered in at most two lines, with what is wrong and the next call.

`pytest tests/golden --write-golden` updates texts/mistakes.txt.
"""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from boathook.commands import catalogue
from boathook.errors import BoathookError
from boathook.service.input.command_line import read_line, table_of
from tests.golden.test_texts import plain, written

HERE = Path(__file__).parent
MISTAKES = tomllib.loads((HERE / "mistakes.toml").read_text())["mistake"]
TABLE = table_of(catalogue())
MOST_LINES = 2
LOSES_STATE = ("--fresh", "boathook close", "session close", "daemon restart", "daemon stop")
RESET = "document.title = 'Order desk', country.value = 'de', localStorage.clear()"
SANDBOX = "note: sandbox off"
"""A note that depends on the machine."""
QUICK = {"BOATHOOK_TIMEOUT": "0.6"}
"""Nothing on this page is slow."""


@pytest.mark.shared_daemon
def test_mistakes_are_answered_in_two_lines_with_the_next_call(program, site, request):
    page = site.page((HERE / "mistakes.html").read_text(), title="Order desk")
    (program.work / "photo.png").write_bytes(b"png")
    problems, shown = [], []
    program.close_sessions(but="kept")
    program.ask("open", page)
    for mistake in MISTAKES:
        line = mistake["line"].replace("{site}", page)
        if "before" in mistake:
            program.ask(*shlex.split(mistake["before"]))
        answer = program.ask(*shlex.split(line), **({} if mistake.get("patient") else QUICK))
        text = "".join(
            row for row in (answer.out + answer.err).splitlines(keepends=True) if SANDBOX not in row
        )
        shown.append(f"$ boathook {line}\n{text}exit {answer.exit}\n")
        found = list(broken_rules(mistake, text, answer.exit))
        if not found and "does" in mistake:
            found = list(broken_promise(program, mistake, suggested(mistake, text, page)))
            program.ask("eval", RESET)
        problems += [f"{line}\n  {text.strip()}\n  -> {problem}" for problem in found]
    text = anonymous("\n".join(shown), page, program)
    golden = written("mistakes.txt", text, request)
    assert not problems, "\n" + "\n".join(problems)
    assert text == golden
    assert len(MISTAKES) >= 60


def broken_rules(mistake, text, exit):
    """What is wrong with an answer, as text."""
    lines = text.splitlines()
    if not exit:
        yield "it is silent: exit 0"
    if not lines or len(lines) > MOST_LINES:
        yield f"{len(lines)} lines"
    yield from (f"it does not name {name}" for name in mistake["names"] if name not in text)
    yield from (f"it suggests {words}" for words in LOSES_STATE if words in text)
    if "next" in mistake and suggested(mistake, text, "{site}") is None:
        yield f"it does not suggest {mistake['next']}"
    elif "next" in mistake and not is_line(mistake["next"]):
        yield f"{mistake['next']} does not parse"


def broken_promise(program, mistake, line):
    """What is wrong with a suggested line, which should do what was meant."""
    done = program.ask(*shlex.split(line))
    if done.exit:
        yield f"{line} fails: {done.err}"
    if program.ask("eval", mistake["does"]).out != "true\n":
        yield f"{line} did not do it: {mistake['does']}"


def suggested(mistake, text, page):
    """The line that an answer suggests: as a whole, or as a word in place of the wrong one."""
    wanted = mistake["next"].replace("{site}", page)
    found = re.search(re.escape(f"boathook {wanted}").replace("@eN", r"@e\d+"), text)
    if found:
        return found.group().removeprefix("boathook ")
    meant = re.search(r"did you mean (.+?)\?", text)
    wrong = re.escape(mistake["names"][0].strip("'"))
    line = mistake["line"].replace("{site}", page)
    if meant and re.sub(rf"(?<![\w-]){wrong}(?![\w-])", lambda _: meant[1], line, count=1) == wanted:
        return wanted
    return None


def is_line(line):
    if line == "help":
        return True
    try:
        read_line(shlex.split(line), TABLE)
    except BoathookError:
        return False
    return True


def anonymous(text, page, program):
    return re.sub(r"@e\d+(?!\d|99)", "@eN", plain(text, page, program))

"""Every command and flag of agent-browser has its answer here; where that program is installed, both run and are compared.

The table in docs/compatibility.md is written from agent_browser.toml (`pytest tests/compat --write-docs`).
"""

import asyncio
import shlex
import tomllib
from collections import Counter
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from boathook.commands import catalogue
from boathook.errors import BadRequest
from boathook.service.input.command_line import read_line, table_of
from tests.compat.two_programs import BINARY, CHROMIUM, HERE, NO_PEER, ROOT, SCENARIOS, Peer
from tests.support.program import Program
from tests.support.waiting import until

PAGE = ROOT / "docs/compatibility.md"
ROWS = {
    (group, theirs): row
    for group, rows in tomllib.loads((HERE / "agent_browser.toml").read_text()).items()
    for theirs, row in rows.items()
}
VERDICTS = ("same", "better", "refused", "planned")
RUN = [pytest.param(*key, id=" ".join(key)) for key, row in ROWS.items() if "run" in row]
MODE = """
## The agent-browser mode

Outside this mode Boathook has its own output and its own rules, and accepts the commands and flags of agent-browser as the tables
below say. In the mode an agent that knows only agent-browser works unchanged: command lines are read as there, and answers have its
form. Switch it on with one of:

- `--compat agent-browser` on the command line;
- `BOATHOOK_COMPAT=agent-browser` in the environment;
- `compat = "agent-browser"` in your own `boathook.toml` (a project's file cannot set it);
- a link of your own with that name: `ln -s "$(command -v boathook)" ~/bin/agent-browser`.

In the mode:

- `--json` prints `{"success", "data", "error"}` with the data of agent-browser; `batch` prints a list. Text has its form too. The exit
  status is 0 or 1. Output is whole; only `--max-output` limits it.
- Of several matches the first in the document is meant, hidden or not (the setting `matches`). A tab that an action opens becomes the
  current one (`follow_tabs`). `frame SELECTOR` limits the following commands to a frame, until `frame main` or a new document.
- `snapshot` is the whole tree with text; refs are written `@e1`, `e1` or `ref=e1`. `get html` is the content of the element, `get value`
  of a select its value. Numbers of `wait` and its `--timeout` are milliseconds. Words after a selector are one string.
- `AGENT_BROWSER_*` variables are read where there is a setting for them; `BOATHOOK_*` variables win.

Host limits, action policies, confirmations and the redaction of secrets are those of Boathook, and control characters of pages are
escaped. Boundaries around page content are off unless `--content-boundaries` is given. What differs from agent-browser:

- Answers have no `lifecycle`, `restoreStatus` and `saveStatus`: they describe its daemon. Notes of Boathook are in `warning`.
- Error messages are Boathook's. A missing element may appear within two seconds before it is an error.
- The default session belongs to the project, not to the machine.
- Unknown options, keys and load states are errors, and so are a file to upload that does not exist, and a hover that does not reach its
  element.
- Values of cookies and of secret fields are redacted.
- `network requests` lists no headers; `network request ID` has them.
- Commands that are not in the list of rules (such as `react` and `webmcp`) print the data of Boathook.
- The parts of date and time fields have no refs: fill the field itself.
{differences}
A test runs {lines} lines in {scenarios} scenarios in this mode and compares exit status, shape and values of each answer with those
recorded from agent-browser 0.41; `make compat` compares both programs directly.
"""
INTRODUCTION = """# Compared with agent-browser

The commands and flags of agent-browser 0.41, and their counterparts here. A test runs each row that has a command; if agent-browser
is installed (`make bench-peers`), both programs run it on the same page and their effects are compared (`tests/compat`). *same*: the
same effect; *better*: the same and more; *refused*: an error with a reason; *planned*: not available yet.

"""


def test_every_row_has_a_verdict_and_a_reason_where_it_needs_one():
    assert {row["verdict"] for row in ROWS.values()} <= set(VERDICTS)
    unexplained = [
        key for key, row in ROWS.items() if row["verdict"] in {"better", "refused"} and not row.get("how")
    ]
    assert unexplained == []


def test_only_what_comes_later_is_planned():
    """Streaming, dashboard, providers, iOS, chat and plug-ins."""
    words = (
        "stream",
        "dashboard",
        "provider",
        "iOS",
        "chat",
        "plug-in",
        "plugin",
        "remote services",
        "swipe",
        "device",
    )
    planned = {key[1]: row for key, row in ROWS.items() if row["verdict"] == "planned"}
    others = [
        name for name, row in planned.items() if not any(word in f"{name} {row.get('how')}" for word in words)
    ]
    assert others == []


def test_of_what_is_not_planned_at_least_95_percent_is_the_same_or_better():
    count = Counter(row["verdict"] for row in ROWS.values())
    assert (count["same"] + count["better"]) / (len(ROWS) - count["planned"]) >= 0.95


def test_every_line_is_one_that_our_program_understands():
    table = table_of(catalogue())
    places = {
        "page": "http://x/",
        "other": "http://x/",
        "text": "http://x/",
        "login": "http://x/",
        "folder": "/x",
        "browser": "/x",
    }
    wrong = []
    for (group, theirs), row in ROWS.items():
        for line in [*row.get("before", ()), *([row.get("ours") or row["run"]] if "run" in row else [])]:
            words = shlex.split(filled(line, places))
            if words[0] in {"mcp", "--version"}:
                continue  # the client answers these by itself
            try:
                read_line(words, table)
            except BadRequest as error:
                if row["verdict"] in {"refused", "planned"}:
                    continue
                wrong.append(f"{group}: {theirs}: {error}")
    assert wrong == []


def mode_section():
    differences = tomllib.loads((HERE / "differences.toml").read_text())
    listed = {
        f"- `{line.removeprefix('T ')}`: {reason}.\n"
        for lines in differences.values()
        for line, reason in lines.items()
    }
    return (
        MODE.replace("{differences}\n", "".join(sorted(listed)) + "\n")
        .replace("{lines}", str(sum(map(len, SCENARIOS.values()))))
        .replace("{scenarios}", str(len(SCENARIOS)))
    )


def rendered():
    lines, group = [INTRODUCTION], ""
    count = Counter(row["verdict"] for row in ROWS.values())
    lines.append(
        "; ".join(f"{count[verdict]} {verdict}" for verdict in VERDICTS) + f"; {len(ROWS)} in all.\n"
    )
    lines.append(mode_section())
    for (section, theirs), row in ROWS.items():
        if section != group:
            group = section
            lines.append(f"\n## {section.capitalize()}\n\n| agent-browser | here | how |\n|---|---|---|\n")
        lines.append(
            f"| `{theirs.replace('|', chr(92) + '|')}` | {row['verdict']} | {row.get('how', '')} |\n"
        )
    return "".join(lines)


def test_the_table_in_the_docs_is_current(request):
    if request.config.getoption("--write-docs"):
        PAGE.write_text(rendered())
    assert PAGE.read_text() == rendered()


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 (as the base class declares it)
        **SimpleHTTPRequestHandler.extensions_map,
        ".md": "text/markdown",
        ".txt": "text/plain",
    }

    def do_GET(self):
        name = self.path.partition("?")[0]
        if name == "/echo":
            self.reply(200, self.headers.get("X-Test", "none"))
        elif name == "/guarded" and not self.headers.get("Authorization"):
            self.reply(401, "who are you?")
        elif name == "/guarded":
            self.reply(200, "welcome")
        else:
            super().do_GET()

    def reply(self, status, text):
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="desk"')
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_args):
        pass


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    for name in ("page.html", "other.html", "login.html"):
        (folder / name).write_text((HERE / name).read_text())
    (folder / "text.md").write_text("# Text\n\n## Install\n\nHow to install it.\n")
    (folder / "llms.txt").write_text("# Index\n")
    (folder / "report.txt").write_text("a report")
    (folder / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    programs = Program(tmp_path_factory.mktemp("ours")), Peer(tmp_path_factory.mktemp("theirs"))
    yield programs
    programs[1]("open", "about:blank")
    assert programs[1].processes() != [], "the control: its daemon and browser are seen"
    for program in programs:
        program.stop()
    asyncio.run(until(lambda: programs[1].processes() == [], named="the peer's processes have ended"))


def filled(line, places):
    for name, value in places.items():
        line = line.replace(f"{{{name}}}", value)
    return line


def run_row(program, row, places, *, ours):
    """Start on the page, prepare, run the line; the answer, and what the probe gives."""
    program("open", places["page"])
    for line, stdin in row.get("before_stdin", ()):
        program(*shlex.split(filled(line, places)), stdin=stdin)
    for line in row.get("before", ()):
        program(*shlex.split(filled(line, places)))
    line = (row.get("ours") if ours else None) or row["run"]
    done = program(*shlex.split(filled(line, places)), stdin=row.get("stdin"))
    where = ("--session", row["probe_in"]) if "probe_in" in row else ()
    probe = program(*where, "eval", row["probe"]).stdout if "probe" in row else None
    for line in row.get("after", ()):
        program(*shlex.split(filled(line, places)))
    if where:
        program(*where, "close")
    if any("#ask" in line for line in row.get("before", ())):
        program("dialog", "dismiss")  # whatever is left would hold up the next row
    return done, probe


def plain(text):
    """Without the quotes that one of them puts around texts."""
    return None if text is None else text.strip().strip('"')


def places_for(program, served):
    folder = program.work / "files"
    folder.mkdir(exist_ok=True)
    (folder / "upload.txt").write_text("up")
    (folder / "cookies.txt").write_text("Cookie: a=1; b=2\n")
    (folder / "base.txt").write_text("- heading\n")
    (folder / "early.js").write_text("window.early = 'early'")
    (folder / "deny.json").write_text('{"default": "allow", "deny": ["eval"]}')
    names = {"page": "page.html", "other": "other.html", "login": "login.html", "text": "text.md"}
    return {name: f"{served}/{path}" for name, path in names.items()} | {
        "folder": str(folder),
        "browser": CHROMIUM,
    }


@pytest.mark.slow
@pytest.mark.skipif(not BINARY.exists(), reason=NO_PEER)
@pytest.mark.parametrize(("group", "theirs"), RUN)
def test_both_do_the_same(group, theirs, both, served):
    row = ROWS[group, theirs]
    our_answer, our_probe = run_row(both[0], row, places_for(both[0], served), ours=True)
    their_answer, their_probe = run_row(both[1], row, places_for(both[1], served), ours=False)
    if row.get("refuses"):
        assert our_answer.returncode != 0
        assert any(word in our_answer.stderr for word in ("[policy_blocked]", "[confirmation_required]"))
        return
    if row.get("both_fail") or row["verdict"] in {"refused", "planned"}:
        assert our_answer.returncode != 0
        assert our_answer.stderr.startswith("error: "), "it says why"
        return
    assert our_answer.returncode == 0, our_answer.stderr
    if "gives" in row:
        assert plain(our_probe) == row["gives"]
    if row.get("fails"):
        assert their_answer.returncode != 0, "then it is no longer better here"
    elif not row.get("theirs_is_else"):
        assert their_answer.returncode == 0, their_answer.stdout + their_answer.stderr
        assert plain(our_probe) == plain(their_probe)
        if row.get("output"):
            assert plain(our_answer.stdout) == plain(their_answer.stdout)
        if "file" in row:
            assert beginning_of(both[0], row) == beginning_of(both[1], row) != b""


def beginning_of(program, row):
    """The first bytes of a file, which say of what kind it is."""
    return (program.work / "files" / row["file"]).read_bytes()[
        : 1 if row["file"].endswith(("json", "har")) else 4
    ]

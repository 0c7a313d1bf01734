"""Every command and flag of agent-browser has its answer here; where that program is installed, both run and are compared.

The table in docs/compatibility.md is written from agent_browser.toml (`pytest tests/compat --write-docs`).
"""

import os
import platform
import shlex
import shutil
import subprocess
import tomllib
from collections import Counter
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import imageio_ffmpeg
import pytest

from boathook.commands import catalogue
from boathook.errors import BadRequest
from boathook.service.input.command_line import read_line, table_of
from tests.support.program import Program

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs/compatibility.md"
ROWS = {
    (group, theirs): row
    for group, rows in tomllib.loads((HERE / "agent_browser.toml").read_text()).items()
    for theirs, row in rows.items()
}
VERDICTS = ("same", "better", "refused", "planned")
MACHINE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
BINARY = ROOT / f".cache/bench-peers/npm/node_modules/agent-browser/bin/agent-browser-linux-{MACHINE}"
CHROMIUM = os.environ.get("BOATHOOK_EXECUTABLE") or "/usr/bin/chromium"
RUN = [pytest.param(*key, id=" ".join(key)) for key, row in ROWS.items() if "run" in row]
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


def rendered():
    lines, group = [INTRODUCTION], ""
    count = Counter(row["verdict"] for row in ROWS.values())
    lines.append(
        "; ".join(f"{count[verdict]} {verdict}" for verdict in VERDICTS) + f"; {len(ROWS)} in all.\n"
    )
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


class Peer(Program):
    """agent-browser with an empty home."""

    def __init__(self, home):
        super().__init__(home)
        self.environment |= {
            "AGENT_BROWSER_SOCKET_DIR": str(self.home / "run"),
            "AGENT_BROWSER_EXECUTABLE_PATH": CHROMIUM,
            "AGENT_BROWSER_ARGS": "--no-sandbox",
            "AGENT_BROWSER_DEFAULT_TIMEOUT": "5000",
            "PATH": f"{self._programs()}:{os.environ['PATH']}",
        }

    def _programs(self):
        """It looks for ffmpeg on the path; ours comes with a package."""
        folder = self.home / "bin"
        folder.mkdir()
        if shutil.which("ffmpeg") is None:
            (folder / "ffmpeg").symlink_to(imageio_ffmpeg.get_ffmpeg_exe())
        return folder

    def __call__(self, *argv, stdin=None, **variables):
        done = self._run(argv, stdin, variables)
        # On a busy machine its daemon answers too late now and then.
        return self._run(argv, stdin, variables) if "no response came back" in done.stderr else done

    def _run(self, argv, stdin, variables):
        return subprocess.run(
            [str(BINARY), *argv],
            cwd=self.work,
            env={**self.environment, **variables},
            input="" if stdin is None else stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def stop(self):
        self("close", "--all")


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
    for program in programs:
        program.stop()


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
@pytest.mark.skipif(not BINARY.exists(), reason="agent-browser is not installed: make bench-peers")
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

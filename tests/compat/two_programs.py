"""Both programs, the pages that they use, and the scenarios that both run."""

import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import tomllib
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import imageio_ffmpeg

from boathook.client.start_daemon import call_daemon
from boathook.wire import messages
from boathook.wire.socket_address import daemon_folder
from tests.support.program import Program

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGES = HERE / "pages"
RECORDED = HERE / "recorded.json"
MACHINE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
BINARY = ROOT / f".cache/bench-peers/npm/node_modules/agent-browser/bin/agent-browser-linux-{MACHINE}"
CHROMIUM = os.environ.get("BOATHOOK_EXECUTABLE") or "/usr/bin/chromium"
NO_PEER = "agent-browser is not installed: make bench-peers"
SCENARIOS = {
    name: scenario["lines"] for name, scenario in tomllib.loads((HERE / "scenarios.toml").read_text()).items()
}
OMITTED = ("lifecycle", "restoreStatus", "saveStatus", "warning")
"""Keys about its own daemon, which this one does not have; and warnings, which either may add."""
MAPS = ("refs", "styles", "headers", "responseHeaders")
"""Objects whose keys are data."""
REF_NAMES = {("textbox", "Email"): "EMAIL", ("button", "Send"): "SEND"}
"""How lines name the refs that the last snapshot gave to these elements."""
VARIES = {
    *(
        "targetId",
        "timestamp",
        "requestId",
        "snapshot",
        "path",
        "error",
        "headers",
        "responseHeaders",
        "refs",
    ),
    *(
        "x",
        "y",
        "width",
        "height",
        "size",
        "warning",
        "annotations",
        "args",
        "column",
        "line",
        "styles",
        "diff",
    ),
    *("removedRefs", "title of tabs", "mobile", "deviceScaleFactor", "expires", "domain", "sameSite"),
    *("hash", "directory", "eventCount", "fcp", "ttfb", "startTime", "sessions"),
}
"""Values that are not compared: they depend on the run, the window or the wording."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args):
        pass


@contextmanager
def serve_pages():
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(PAGES)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class Answered:
    """What a program printed."""

    def __init__(self, *, out, err, exit):
        self.stdout, self.stderr, self.returncode = out, err, exit


class Ours(Program):
    """Boathook in the agent-browser mode; its daemon is asked directly, since starting Python takes longer than most lines."""

    def __init__(self, home, *, environment=None, work=None):
        if environment is None:
            super().__init__(home)
        else:
            self.home, self.environment, self.work = Path(home), dict(environment), Path(work)
        self.variables = {"BOATHOOK_COMPAT": "agent-browser"}

    def line(self, *argv, stdin=None):
        reply = call_daemon(
            daemon_folder(self.environment),
            messages.call(
                "1",
                argv=list(argv),
                cwd=str(self.work),
                terminal=messages.terminal(is_tty=False, columns=80, colour=False),
                environment=self.variables,
                stdin=stdin,
                owner=messages.owner(pid=os.getpid(), start_time=None),
            ),
        )
        return Answered(out=reply.out, err=reply.err, exit=reply.exit)


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
        # On a busy machine its daemon answers too late now and then, or loses a download.
        lost = any(words in done.stderr for words in ("no response came back", "Download was canceled"))
        return self._run(argv, stdin, variables) if lost else done

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

    line = __call__

    def processes(self):
        """Its daemons and their browsers: processes whose environment or command line names its home."""
        marks = (str(self.home).encode(),)
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            with suppress(OSError):
                about = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                if any(mark in about for mark in marks) and state != "Z":
                    found.append(int(entry.name))
        return found

    def stop(self):
        """Close its browsers, and end by pid what is left."""
        self("close", "--all")
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def prepare_files(program):
    folder = program.work / "files"
    folder.mkdir(exist_ok=True)
    (folder / "upload.txt").write_text("up")
    return folder


def run_scenario(program, lines, *, site):
    """The answers of a program to all lines of a scenario, made comparable."""
    folder, refs, answers = prepare_files(program), {}, []
    for line in lines:
        as_text = line.startswith("T ")
        words = [_with_refs(word, refs) for word in shlex.split(line.removeprefix("T "))]
        words = [word.replace("{site}", site).replace("{folder}", str(folder)) for word in words]
        stdin = None
        if "<<<" in words:
            at = words.index("<<<")
            words, stdin = words[:at], words[at + 1]
        done = program.line(*([] if as_text else ["--json"]), *words, stdin=stdin)
        answer = {"exit": done.returncode}
        if as_text:
            answer["text"] = _normal(done.stdout, site, folder)
        else:
            told = json.loads(done.stdout)
            if isinstance(told, dict) and (told.get("data") or {}).get("cookies"):
                told["data"]["cookies"].sort(key=lambda cookie: cookie["name"])  # theirs have no order
            refs |= _refs_in(told)
            told_of = _without_marks(told) if words[0] == "find" else told
            if refs and any(name in line for name in REF_NAMES.values()):
                told_of = json.loads(re.sub(r'"(@?)e\d+"', r'"\1REF"', json.dumps(told_of)))
            answer |= {"shape": shape_of(told), "values": values_of(told_of, site, folder)}
        answers.append(answer)
    return answers


def _without_marks(told):
    """How `find` marked the element that it found is of no use to anyone."""
    marked = isinstance(told.get("data"), dict) and "text" not in told["data"]
    return {**told, "data": None} if marked else told


def _with_refs(word, refs):
    return re.sub(
        r"\b(" + "|".join((*REF_NAMES.values(), "REQUEST")) + r")\b",
        lambda name: refs.get(name[0], "e77777"),
        word,
    )


def _refs_in(told):
    found = (told.get("data") or {}).get("refs", {}) if isinstance(told, dict) else {}
    requests = (told.get("data") or {}).get("requests", []) if isinstance(told, dict) else []
    if requests:
        return {"REQUEST": requests[-1]["requestId"]}
    named = ((REF_NAMES.get((fact["role"], fact["name"])), ref) for ref, fact in found.items())
    return {name: ref for name, ref in named if name is not None}


def _normal(text, site, folder):
    text = text.replace(site, "{site}").replace(str(folder), "{folder}")
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def shape_of(value, key=""):
    """Keys and types, at every depth."""
    if isinstance(value, dict):
        inner = {name: shape_of(part, name) for name, part in value.items() if name not in OMITTED}
        if key in MAPS:
            return {"*": next(iter(inner.values()), "nothing")}
        return dict(sorted(inner.items()))
    if isinstance(value, list):
        return [shape_of(value[0], key)] if value else []
    if isinstance(value, bool) or value is None:
        return "boolean" if value is not None else "null"
    return "string" if isinstance(value, str) else "number"


def values_of(value, site, folder, key="", under=""):
    """The values that both programs must agree on."""
    if isinstance(value, dict):
        kept = {
            name: values_of(part, site, folder, name, key)
            for name, part in sorted(value.items())
            if name not in OMITTED and name not in VARIES and f"{name} of {key}" not in VARIES
        }
        return {name: part for name, part in kept.items() if part is not None and part not in ({}, [])}
    if isinstance(value, list):
        return [values_of(part, site, folder, key, under) for part in value]
    return _normal(value, site, folder) if isinstance(value, str) else value


def differences(ours, theirs):
    """In what two answers differ: exit, shape, values or text."""
    return [
        part
        for part in ("exit", "shape", "values", "text")
        if (part in ours or part in theirs) and not _agree(part, ours.get(part), theirs.get(part))
    ]


def _agree(part, ours, theirs):
    return _same_shape(ours, theirs) if part == "shape" else ours == theirs


def _same_shape(ours, theirs):
    """Equal; an empty list has the shape of any list."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if "*" in ours and "*" in theirs:
            return "nothing" in (ours["*"], theirs["*"]) or _same_shape(ours["*"], theirs["*"])
        return ours.keys() == theirs.keys() and all(_same_shape(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return not ours or not theirs or _same_shape(ours[0], theirs[0])
    return ours == theirs

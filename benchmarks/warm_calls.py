"""Warm calls of the command line, interleaved: the native client, the Python client, agent-browser's native binary.

`warm_calls.py [--samples 60] [--cold 6] [--write] [CHECKOUT …]`: other checkouts are measured with their own daemons. Stdout of every call
is compared with what the page has. `--write` keeps the samples in results/warm_calls.json.
"""

from __future__ import annotations

import argparse
import http.server
import json
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PEERS = Path(os.environ.get("BENCH_PEERS", ROOT / ".cache/bench-peers"))
PAGE = b"<!doctype html><title>Warm calls</title><h1>Warm</h1><button>Go</button>"


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


class Subject:
    def __init__(self, name, command, stop, home):
        self.name, self.command, self.stop = name, [str(command)], stop
        self.environment = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "AGENT_BROWSER_EXECUTABLE_PATH": shutil.which("chromium") or "",
        }

    def run(self, *argv):
        began = time.perf_counter()
        done = subprocess.run([*self.command, *argv], env=self.environment, capture_output=True, text=True)
        return (time.perf_counter() - began) * 1000, done

    def end(self):
        for words in self.stop:
            self.run(*words)


def subjects(folder, checkouts):
    def home(name):
        path = folder / name
        path.mkdir(mode=0o700, exist_ok=True)
        return path

    ours = [["daemon", "stop"]]
    found = [
        Subject("native", ROOT / ".venv/bin/boathook", ours, home("own")),
        Subject("python", ROOT / ".venv/bin/boathook-python", [], home("own")),
    ]
    binary = next(iter(PEERS.glob("**/agent-browser/bin/agent-browser-linux-x64")), None)
    if binary is None:
        print("agent-browser is not installed (make bench-peers)")
    else:
        found.append(Subject("agent-browser", binary, [["close"]], home("peer")))
    for number, checkout in enumerate(checkouts):
        found.append(Subject(str(checkout), checkout / ".venv/bin/boathook", ours, home(f"other{number}")))
    return found


def warm(all_subjects, url, samples):
    expected = {"url": f"{url}\n", "title": "Warm calls\n"}
    for subject in all_subjects:
        if subject.name != "python":
            subject.run("open", url)
        for what in expected:
            subject.run("get", what)
    taken = {}
    for what, wanted in expected.items():
        for _ in range(samples):
            for subject in random.sample(all_subjects, len(all_subjects)):
                ms, done = subject.run("get", what)
                if (done.returncode, done.stdout) != (0, wanted):
                    raise SystemExit(f"{subject.name}: {done}")
                taken.setdefault(f"get {what}", {}).setdefault(subject.name, []).append(round(ms, 3))
    return taken


def cold(all_subjects, url, samples):
    taken = {}
    for _ in range(samples):
        for subject in random.sample(all_subjects, len(all_subjects)):
            if subject.name == "python":
                continue
            subject.end()
            ms, done = subject.run("open", url)
            if done.returncode != 0 or not (url in done.stdout):
                raise SystemExit(f"{subject.name}: {done}")
            taken.setdefault("cold open", {}).setdefault(subject.name, []).append(round(ms, 1))
    return taken


def main():
    reading = argparse.ArgumentParser()
    reading.add_argument("--samples", type=int, default=60)
    reading.add_argument("--cold", type=int, default=0)
    reading.add_argument("--write", action="store_true")
    reading.add_argument("checkouts", nargs="*", type=Path)
    options = reading.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    with tempfile.TemporaryDirectory(prefix="warm-", ignore_cleanup_errors=True) as folder:
        all_subjects = subjects(Path(folder), options.checkouts)
        load = [round(os.getloadavg()[0], 1)]
        try:
            taken = warm(all_subjects, url, options.samples)
            taken |= cold(all_subjects, url, options.cold)
        finally:
            for subject in all_subjects:
                subject.end()
    load.append(round(os.getloadavg()[0], 1))
    for item, rows in taken.items():
        peer = statistics.median(rows.get("agent-browser", [0])) or None
        for name, values in rows.items():
            median = statistics.median(values)
            ratio = f"{median / peer:.2f} × agent-browser" if peer else ""
            print(f"{item:10} {name:14} median {median:7.2f} ms, min {min(values):7.2f}  {ratio}")
    if options.write:
        kept = {"meta": {"load": load, "cores": os.cpu_count()}, "samples": taken}
        (HERE / "results/warm_calls.json").write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()

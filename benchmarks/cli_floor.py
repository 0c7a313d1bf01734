"""W2: what a command line can reach. Times whole processes with hyperfine: interpreter start-up floors, a Unix-socket
client in Python at several import levels, sh/nc baselines, and the peers' CLIs on a warm session.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import peers

peers.use()

import drivers

HERE = Path(__file__).parent

RAW = 'import _socket as s\nk=s.socket(1,1)\nk.connect({p!r})\nk.send(b\'{{"cmd":"url"}}\\n\')\nimport os\nos.write(1,k.recv(4096))\n'
STD = "import socket,json,sys\nk=socket.socket(socket.AF_UNIX)\nk.connect({p!r})\nk.sendall((json.dumps({{'cmd':'url'}})+'\\n').encode())\nprint(json.loads(k.recv(4096)))\n"
ARGP = (
    "import argparse,socket,json,sys\na=argparse.ArgumentParser();a.add_argument('c',nargs='*');a.parse_args()\n"
    + STD
)


def daemon(path: str) -> None:
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen(64)

    def loop() -> None:
        while True:
            c, _ = s.accept()
            if c.recv(4096):
                c.sendall(b'{"url":"http://127.0.0.1/"}\n')
            c.close()

    threading.Thread(target=loop, daemon=True).start()


def hyper(cmds: list[tuple[str, str]], runs: int, env=None) -> dict:
    """Interleaved rounds of few runs each, so that load changes hit every command alike."""
    got: dict[str, list[float]] = {n: [] for n, _ in cmds}
    for _ in range(3):
        with tempfile.NamedTemporaryFile(suffix=".json") as f:
            args = [
                "hyperfine",
                "-N",
                "-w",
                "2",
                "-r",
                str(max(3, runs // 3)),
                "-i",
                "--style",
                "none",
                "--export-json",
                f.name,
            ]
            for n, c in cmds:
                args += ["-n", n, c]
            subprocess.run(args, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for r in json.load(open(f.name))["results"]:
                got[r["command"]] += [t * 1e3 for t in r["times"]]
    out = {}
    for n, ts in got.items():
        ts.sort()
        out[n] = {
            "median_ms": round(ts[len(ts) // 2], 2),
            "min_ms": round(ts[0], 2),
            "p95_ms": round(ts[int(0.95 * (len(ts) - 1))], 2),
            "n": len(ts),
        }
    return out


async def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", required=True)
    ap.add_argument("--runs", type=int, default=30)
    ap.add_argument("--port", type=int, default=8797)
    ap.add_argument("--peers", default="agent-browser,playwright-cli")
    a = ap.parse_args()
    a.out = os.path.abspath(a.out)
    d = tempfile.mkdtemp(prefix="bench-cli-")
    sock = os.path.join(d, "s")
    daemon(sock)
    for n, src in (("raw", RAW), ("std", STD), ("argp", ARGP)):
        Path(d, n + ".py").write_text(src.format(p=sock))
    py = os.path.realpath(sys.executable)
    vpy = sys.executable
    cmds = [
        ("true", shutil.which("true")),
        ("sh -c :", "sh -c :"),
        ("python -c pass", f"{py} -c pass"),
        ("python -I -c pass", f"{py} -I -c pass"),
        ("python -I -S -c pass", f"{py} -I -S -c pass"),
        ("python -I -S -X frozen_modules=on -c pass", f"{py} -I -S -X frozen_modules=on -c pass"),
        ("venv python -c pass", f"{vpy} -c pass"),
        ("python import socket,json", f"{py} -c 'import socket,json'"),
        ("python import argparse,socket,json", f"{py} -c 'import argparse,socket,json'"),
        ("python import asyncio", f"{py} -c 'import asyncio'"),
        ("client raw -I -S (_socket only)", f"{py} -I -S {d}/raw.py"),
        ("client std -I -S", f"{py} -I -S {d}/std.py"),
        ("client std -I", f"{py} -I {d}/std.py"),
        ("client std, venv python", f"{vpy} {d}/std.py"),
        ("client argparse, venv python", f"{vpy} {d}/argp.py"),
        ("node -e 0", f"{shutil.which('node')} -e 0"),
    ]
    if shutil.which("cc"):
        Path(d, "c.c").write_text(
            '#include <sys/socket.h>\n#include <sys/un.h>\n#include <unistd.h>\n#include <string.h>\nint main(){struct sockaddr_un a={AF_UNIX};strcpy(a.sun_path,"%s");'
            'int s=socket(1,1,0);connect(s,(void*)&a,sizeof a);write(s,"{}\\n",3);char b[4096];int n=read(s,b,4096);write(1,b,n);return 0;}'
            % sock
        )
        if subprocess.run(["cc", "-O2", "-o", f"{d}/cc", f"{d}/c.c"]).returncode == 0:
            cmds.append(("client compiled C", f"{d}/cc"))
    res = {"floors": hyper(cmds, a.runs)}
    # in-process Unix socket round trip
    import time

    ts = []
    for _ in range(500):
        t = time.perf_counter()
        k = socket.socket(socket.AF_UNIX)
        k.connect(sock)
        k.sendall(b"{}\n")
        k.recv(4096)
        k.close()
        ts.append((time.perf_counter() - t) * 1e3)
    ts.sort()
    res["unix_socket_roundtrip_ms"] = {"median": round(ts[250], 4), "p95": round(ts[475], 4)}
    srv = subprocess.Popen([sys.executable, str(HERE / "fixtures.py"), str(a.port)], stdout=subprocess.PIPE)
    srv.stdout.readline()
    res["peers"] = {}
    for n in a.peers.split(","):
        dr = drivers.make(n)
        try:
            await dr.start()
            await dr.open(f"http://127.0.0.1:{a.port}/nav/1")
            if n == "agent-browser":
                env = dr._env
                c = [
                    ("agent-browser --version", f"{dr.bin} --version"),
                    ("agent-browser get url", f"{dr.bin} get url"),
                    ("agent-browser get title", f"{dr.bin} get title"),
                    ("agent-browser snapshot", f"{dr.bin} snapshot"),
                    ("agent-browser eval", f"{dr.bin} eval 1"),
                ]
                js = Path(dr.bin).parent / "agent-browser.js"
                if js.exists():
                    c.append(
                        ("agent-browser get url via node wrapper", f"{shutil.which('node')} {js} get url")
                    )
            else:
                env = dr.env
                os.chdir(dr.dir)
                base = " ".join([*dr.argv, dr.s])
                c = [
                    ("playwright-cli --version", " ".join([*dr.argv, "--version"])),
                    ("playwright-cli eval title", f"{base} eval '() => document.title'"),
                ]
            res["peers"].update(hyper(c, a.runs if n == "agent-browser" else 6, env))
        except Exception as e:  # noqa: BLE001
            res["peers"][n] = {"error": str(e)[:300]}
        finally:
            try:
                await dr.stop()
            except Exception:  # noqa: BLE001
                pass
    srv.kill()
    shutil.rmtree(d, ignore_errors=True)
    Path(a.out).write_text(json.dumps(res, indent=1))
    for sec in ("floors", "peers"):
        for k, v in res[sec].items():
            print(f"{k:45s} {v}")
    print(res["unix_socket_roundtrip_ms"])


asyncio.run(main())

"""Fuzzed frames, read by the native client under AddressSanitizer and UBSan, and by Python's decoder.

300 of them in `make test`, ten thousand in `make stress` (BOATHOOK_FRAMES).
"""

import json
import os
import random
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from native.compiler import SCRIPT, SOURCES, CompileError, compile_with, system_compiler

from boathook.wire.failures import BadFrame
from boathook.wire.framing import unpack
from tests.native.test_scripted_daemon import ANSWER, HELLO, ScriptedDaemon

FRAMES = int(os.environ.get("BOATHOOK_FRAMES", "300"))
SANITIZED = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
IN_PYTHON = 77
HERE = Path(__file__).parent
FIELDS = ("type", "id", "out", "err", "text")
TEXTS = (
    "",
    "a",
    "ü",
    "🎉",
    "\x00",
    "\x7f",
    '\n\t\\"/',
    "\ud83c",
    "\udf89\ud83c",
    "x" * 5000,
    "\u2028",
    "é" * 100,
)
PIECES = (b'"', b"\\", b"\\u", b"\\ud83c", b"\\udf89", b"{", b"}", b"[", b"]", b":", b",", b"null", b"-", b"0", b"1e9", b"\x00",
          b"\x1f", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b" ", b"NaN", b"-Infinity", b"tru", b"99999999999")  # fmt: skip


def body(chosen):
    """A message or other JSON, in one of the spellings of JSON."""
    message = {"type": chosen.choice(("answer", "alive", "progress", "refused", "new"))}
    for name in chosen.sample((*FIELDS[1:], "exit", "hint", "other"), chosen.randrange(7)):
        message[name] = chosen.choice(
            (*TEXTS, 0, -1, 7, 10**12, 1.5, True, None, [], {"a": [{}]}, [[[1]], "x"])
        )
    value = (
        message if chosen.random() < 0.95 else chosen.choice((list(message), "text", 5, None, {"type": 5}))
    )
    text = json.dumps(value, ensure_ascii=chosen.random() < 0.5, indent=chosen.choice((None, None, 1)))
    return text.encode("utf-8", "surrogatepass")


def mutated(chosen):
    """Mostly a damaged one."""
    made = bytearray(body(chosen))
    for _ in range(chosen.choice((0, 0, 1, 1, 2, 5, 20))):
        at = chosen.randrange(len(made) + 1)
        kind = chosen.randrange(5)
        if kind == 0:
            del made[at : at + chosen.randrange(1, 9)]
        elif kind == 1:
            made[at:at] = chosen.choice(PIECES)
        elif kind == 2:
            made[at : at + 1] = bytes([chosen.randrange(256)])
        elif kind == 3:
            made[at:at] = made[at : at + chosen.randrange(40)]
        else:
            del made[at:]
    return bytes(made)


def spelled(value):
    """A string as the harness prints it."""
    if not isinstance(value, str):
        return "-"
    return value.encode("utf-8", "backslashreplace").hex() or "."


def expected(frame):
    """What Python's decoder makes of it."""
    try:
        message = unpack(frame)
    except BadFrame as error:
        return "not-json" if "not JSON" in error.message else "no-type"
    exit_status = message.get("exit")
    is_small = (
        isinstance(exit_status, int) and not isinstance(exit_status, bool) and len(str(abs(exit_status))) <= 9
    )
    return " ".join(
        ["message", *(spelled(message.get(name)) for name in FIELDS), str(exit_status) if is_small else "-"]
    )


def is_beyond(frame):
    """What Python accepts and we need not: other encodings of JSON, halves of pairs in UTF-8."""
    try:
        frame.decode()
    except UnicodeDecodeError:
        return True
    return frame.startswith(b"\xef\xbb\xbf") or b"\x00" in frame[:4]


def sanitized(program, *flags, sources):
    """Compile a program with the sanitizers."""
    compiler = system_compiler()
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    try:
        compile_with(compiler, program, *SANITIZED, *flags, sources=sources)
    except CompileError as error:
        pytest.skip(f"no sanitizers on this machine: {str(error)[-200:]}")
    return program


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """The whole client; what continues in Python ends at once, with a separate status."""
    program = tmp_path_factory.mktemp("client") / "boathook"
    script = program.with_name(SCRIPT.name)
    script.write_text(f"#!/bin/sh\nexit {IN_PYTHON}\n")
    script.chmod(0o755)
    return sanitized(program, sources=SOURCES)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    program = tmp_path_factory.mktemp("reader") / "read_frames"
    others = tuple(
        name for name in SOURCES if name not in {"main.c", "python.c", "request.c", "reach.c", "words.c"}
    )
    return sanitized(program, "-I.", sources=(str(HERE / "read_frames.c"), *others))


def read(reader, frames, end=b""):
    given = b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames) + end
    done = subprocess.run([reader], input=given, capture_output=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode(errors="replace")
    return done.stdout.decode().splitlines()


def test_fuzzed_frames_are_read_as_python_reads_them(reader):
    chosen = random.Random(22)
    frames = [mutated(chosen) for _ in range(FRAMES)]
    *lines, end = read(reader, frames)
    assert end == "end 1"
    assert len(lines) == FRAMES
    wanted = [expected(frame) for frame in frames]
    differing = [
        (frame[:300], line, want)
        for frame, line, want in zip(frames, lines, wanted, strict=True)
        if line != want and not (is_beyond(frame) and line == "not-json")
    ]
    assert differing == []
    kinds = {line.split()[0] for line in lines}
    assert kinds == {"message", "not-json", "no-type"}, "the frames reach every result"


def test_a_frame_that_ends_early_or_is_too_large_allocates_nothing_of_it(reader):
    assert read(reader, [], b"\x03\xff\xff\xff" + b"x" * 100) == ["end 1"]
    assert read(reader, [], b"\x04\x00\x00\x01" + b"x" * 100) == ["end 4"]
    assert read(reader, [b'{"type":"alive"}'], b"\x00\x00") == ["message 616c697665 - - - - -", "end 1"]


def test_the_whole_client_survives_fuzzed_conversations(client):
    """Greetings, answers and what follows them; command lines and variables of all bytes."""
    chosen = random.Random(23)
    folder = Path(tempfile.mkdtemp(prefix="bhf-", dir="/tmp"))
    daemon = ScriptedDaemon(folder / "run", ())
    statuses = set()
    try:
        for _ in range(max(FRAMES // 10, 30)):
            made = [
                HELLO if chosen.random() < 0.9 else _framed(chosen),
                *(_framed(chosen) for _ in range(chosen.randrange(3))),
            ]
            daemon.script = (made[0], b"".join(made[1:]) + (ANSWER if chosen.random() < 0.5 else b""))
            words = [
                bytes(chosen.randrange(1, 256) for _ in range(chosen.randrange(1, 60)))
                for _ in range(chosen.randrange(1, 5))
            ]
            environment = {
                b"ASAN_OPTIONS": b"detect_leaks=0",  # memory of one call is freed by the end of the process
                b"BOATHOOK_RUNTIME_DIR": bytes(folder / "run"),
                b"BOATHOOK_" + words[0].replace(b"=", b""): words[-1],
            }
            done = subprocess.run(
                [client, b"get", *words],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=20,
                check=False,
            )
            found = [sign for sign in (b"Sanitizer", b"runtime error") if sign in done.stderr]
            assert found == [], (daemon.script, words, done)
            statuses.add(done.returncode)
    finally:
        daemon.close()
        shutil.rmtree(folder)
    assert {3, IN_PYTHON} <= statuses, "answers arrive, and failures are left to Python"


def _framed(chosen):
    made = mutated(chosen)
    length = len(made) if chosen.random() < 0.9 else chosen.randrange(1 << 32)
    return length.to_bytes(4, "big") + made

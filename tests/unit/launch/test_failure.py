"""Last words of a browser, turned into errors that say what to do."""

from __future__ import annotations

import pytest

from boathook.engine.launch.failure import explain_failure
from boathook.errors import LaunchFailed, NotABrowser, ProfileInUse, SandboxUnavailable

CASES = [
    (
        "chrome: error while loading shared libraries: libnss3.so: cannot open shared object file",
        127,
        LaunchFailed,
        "libnss3.so",
    ),
    ("chrome: /lib/libc.so.6: version `GLIBC_2.38' not found", 1, LaunchFailed, "GLIBC_2.38"),
    (
        "[1:1:ERROR:zygote_host_impl_linux.cc(100)] Running as root without --no-sandbox is not supported.",
        1,
        SandboxUnavailable,
        "root",
    ),
    (
        "[1:1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! If you are running on Ubuntu",
        -6,
        SandboxUnavailable,
        "refuses",
    ),
    ("Failed to move to new namespace: PID namespaces supported", -6, SandboxUnavailable, "refuses"),
    ("[1:1:ERROR:ozone_platform_x11.cc(249)] Missing X server or $DISPLAY", 1, LaunchFailed, "display"),
    ("The platform failed to initialize.  Exiting.", 1, LaunchFailed, "display"),
    ("", 21, ProfileInUse, "profile"),
    ("Failed to create /p/SingletonLock: Permission denied (13)", 21, LaunchFailed, "not writable"),
    ("The profile appears to be in use by another Chromium process (123)", 1, ProfileInUse, "profile"),
    (
        "Creating shared memory in /dev/shm/.org.chromium failed: No space left on device (28)",
        -5,
        LaunchFailed,
        "/dev/shm",
    ),
    ("write failed: No space left on device", 1, LaunchFailed, "disk"),
    (
        "Command '/usr/bin/chromium-browser' requires the chromium snap to be installed.",
        1,
        NotABrowser,
        "stub",
    ),
    ('/opt/chrome: 1: Syntax error: "(" unexpected', 2, NotABrowser, "not a browser"),
    ("", 127, NotABrowser, "missing"),
    ("something new", 5, LaunchFailed, "something new"),
    ("", -11, LaunchFailed, "signal 11"),
    ("", None, LaunchFailed, "did not become ready"),
]


@pytest.mark.parametrize(("tail", "code", "error", "word"), CASES)
def test_last_words_become_a_typed_error(
    tail: str, code: int | None, error: type[Exception], word: str
) -> None:
    explained = explain_failure(tail, code)
    assert type(explained) is error
    assert word in explained.message
    assert explained.evidence["exit_code"] == code
    assert explained.hint

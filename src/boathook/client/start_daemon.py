"""Connect to the daemon, and start one if there is none: exactly one, however many clients connect at once."""
# ruff: noqa: PTH123

from __future__ import annotations

import os
import sys

from boathook.client.blocking_client import DaemonConnection
from boathook.runtime_folder import home_folder
from boathook.wire.failures import NotRunning, NotServed, NotStarted
from boathook.wire.socket_address import LOG_NAME, START_LOCK_NAME, socket_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from boathook.client.blocking_client import DaemonReply
    from boathook.wire.messages import Message

DAEMON_MODULE = "boathook.service.daemon"
START_SECONDS = 30.0
_BETWEEN_TRIES_SECONDS = 0.02
_SHOWN_OF_LOG_BYTES = 2000
_TRIES = 5

ALLOWED_VARIABLES = frozenset(
    {
        "BOATHOOK_RUNTIME_DIR",  # where the daemon is
        "BOATHOOK_BROWSER", "BOATHOOK_BROWSER_INDEX", "CHROME", "CHROME_DEVEL_SANDBOX", "CHROME_PATH",  # which browser
        "PLAYWRIGHT_BROWSERS_PATH", "PUPPETEER_CACHE_DIR", "PUPPETEER_EXECUTABLE_PATH",
        "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy",  # network access
        "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",  # headed browsers
        "GDK_BACKEND", "QT_QPA_PLATFORM", "QTWEBENGINE_CHROMIUM_FLAGS", "QTWEBENGINE_DISABLE_SANDBOX",  # desktop apps
        "HOME", "LOGNAME", "PATH", "SHELL", "TEMP", "TMP", "TMPDIR", "USER",  # user and location
        "LANG", "LANGUAGE", "TZ",  # locale
        "PYTHONHOME", "PYTHONPATH", "SSL_CERT_DIR", "SSL_CERT_FILE",  # the interpreter's own
    }
)  # fmt: skip
ALLOWED_PREFIXES = ("LC_", "XDG_")
"""What a daemon inherits from the process that starts it. All other variables, such as a shell's keys, are dropped."""


def call_daemon(
    folder: str,
    call: Message,
    *,
    arguments: Iterable[str] = (),
    on_progress: Callable[[str], None] | None = None,
) -> DaemonReply:
    """One call over a separate connection. Tried again only while the daemon has not accepted it."""
    for tries_left in reversed(range(_TRIES)):
        try:
            with reach_daemon(folder, arguments=arguments, on_progress=on_progress) as connection:
                return connection.call(call, on_progress=on_progress)
        except (
            NotServed,
            NotRunning,
        ):  # it exited before it accepted the call, perhaps just after it had started
            if not tries_left:
                raise
    raise AssertionError("unreachable: the last try returns or raises")


def reach_daemon(
    folder: str, *, arguments: Iterable[str] = (), on_progress: Callable[[str], None] | None = None
) -> DaemonConnection:
    """A connection to the daemon of this folder, which is started if none responds."""
    path = socket_path(folder)
    try:
        return DaemonConnection.open(path)
    except (NotRunning, NotServed):
        if on_progress is not None:
            on_progress("starting the daemon …")
        return _start_and_reach(folder, path, arguments)


def _start_and_reach(folder: str, path: str, arguments: Iterable[str]) -> DaemonConnection:
    """Wait for our turn to start it; usually another process has done so by then."""
    import time  # noqa: PLC0415 (only a start needs it, and each import is paid on each call)

    last = time.monotonic() + START_SECONDS
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        turn = os.open(f"{folder}/{START_LOCK_NAME}", flags, 0o600)
    except OSError as error:
        raise NotStarted(f"{folder}/{START_LOCK_NAME} cannot be used: {error.strerror}") from error
    try:
        while True:
            is_our_turn = _try_lock(turn)
            try:
                return DaemonConnection.open(path)
            except (NotRunning, NotServed):
                if is_our_turn:
                    spawn(folder, arguments=arguments, seconds=last - time.monotonic())
                    return DaemonConnection.open(path)
            if time.monotonic() > last:
                raise NotStarted(
                    f"no daemon within {START_SECONDS:g} s: another client is still starting one"
                )
            pause(_BETWEEN_TRIES_SECONDS)
    finally:
        os.close(turn)


def _try_lock(file: int) -> bool:
    """Whether the lock is ours now; it is released when the file is closed, also by our exit."""
    import fcntl  # noqa: PLC0415

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def pause(seconds: float) -> None:
    """Wait between two attempts to get a lock, which sends no event when it is released."""
    import select  # noqa: PLC0415

    select.select([], [], [], seconds)


def spawn(
    folder: str, *, arguments: Iterable[str] = (), environ: Mapping[str, str] = os.environ, seconds: float
) -> None:
    """Start a daemon in a new session and wait until the folder's socket is ready; NotStarted with its last output."""
    log = f"{folder}/{LOG_NAME}"
    ready, tell_ready = os.pipe()
    pid = 0
    try:
        os.set_inheritable(tell_ready, True)  # noqa: FBT003 (positional only)
        pid = os.posix_spawn(
            sys.executable,
            [
                sys.executable,
                "-P",
                "-m",
                DAEMON_MODULE,
                "--folder",
                folder,
                "--ready",
                str(tell_ready),
                *arguments,
            ],
            {"HOME": home_folder(environ)}
            | {name: value for name, value in environ.items() if value and _is_allowed(name)},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600),
            ],
            setsid=True,
            setsigmask=[],
        )
        os.close(tell_ready)
        tell_ready = -1
        _wait_until_ready(ready, seconds=seconds, log=log)
    except OSError as error:
        raise NotStarted(
            f"the daemon cannot be started: {error.strerror or error}", hint=f"see its log: {log}"
        ) from error
    finally:
        os.close(ready)
        if tell_ready >= 0:
            os.close(tell_ready)
        _collect(pid)


def _collect(pid: int) -> None:
    """The started process is gone by now: the daemon is its child."""
    if pid:
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return  # the program that uses us collects all of its children


def _is_allowed(name: str) -> bool:
    return name in ALLOWED_VARIABLES or name.startswith(ALLOWED_PREFIXES)


def _wait_until_ready(ready: int, *, seconds: float, log: str) -> None:
    import select  # noqa: PLC0415

    if not select.select([ready], [], [], max(0.0, seconds))[0]:
        raise NotStarted(f"the daemon was not ready within {seconds:.0f} s", hint=f"see its log: {log}")
    if os.read(ready, 1):
        return
    raise NotStarted(f"the daemon exited during startup: {_last_line(log)}", hint=f"see its log: {log}")


def _last_line(log: str) -> str:
    """The last line of the log, without control characters."""
    try:
        with open(log, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _SHOWN_OF_LOG_BYTES))
            lines = file.read().decode("utf-8", "replace").strip().splitlines()
    except OSError:
        lines = []
    return "".join(letter for letter in lines[-1] if letter.isprintable()) if lines else "no output"

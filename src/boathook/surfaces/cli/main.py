"""`boathook` and `bh`: send the command line to the daemon, print the response, exit with its status.

Every import here costs time on every call: standard library only, and rarely used modules are imported where needed.
"""
# ruff: noqa: PLC0415, PTH109, PTH123

from __future__ import annotations

import os
import sys

from boathook._version import __version__
from boathook.client.start_daemon import call_daemon
from boathook.runtime_folder import home_folder
from boathook.wire import messages
from boathook.wire.failures import WireFailure
from boathook.wire.socket_address import daemon_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

    from boathook.wire.messages import Message

INTERRUPTED_EXIT = 130
HELP = ("--help", "-h", "help")
ALONE = (*HELP, "--version", "-V", "--complete", "completion")
ABOUT_DAEMON = ("daemon", "uninstall", "version")
PROGRAMS = {
    "mcp": "boathook.surfaces.mcp.main",
    "setup": "boathook.surfaces.cli.setup_command",
    "relay": "boathook.relay.main",
    "extension": "boathook.relay.main",
}
RELAY = ("relay", "extension")
"""The relay's program reads which of its names was used."""
OTHER_NAMES = {
    "-e": ["run", "--js", "--code"],
    "serve": ["relay", "serve"],
    "status": ["relay", "status"],
    "install-extension": ["relay", "install"],
    "update": ["relay", "update"],
}
"""First words as in another program for the user's own Chrome."""
LATER = ("plugin", "agent")
FOR_PYTHON = (*OTHER_NAMES, *LATER, *ALONE, *PROGRAMS, *ABOUT_DAEMON)
"""First words that the native client leaves to this one."""
MOST_STDIN_BYTES = 16 << 20
DEFAULT_COLUMNS = 80
_STAT_FIELDS_BEFORE_START = 19
_OPENS = ("open", "goto", "navigate")
_WITHOUT_BROWSER = ("BOATHOOK_RUNTIME_DIR", "BOATHOOK_SESSION", "BOATHOOK_JSON")
"""Variables that do not change which browser is started."""
CALL_ID = "1"
QUIET_SECONDS = 2
"""A call that takes longer says on a terminal what it is doing."""
SHOWN_WORD = 40
AGENT_BROWSER = "agent-browser"
COMPAT = "BOATHOOK_COMPAT"
PREFIXES = (*messages.PASSED_ON, "AGENT_BROWSER_")
TERMINAL_NAMES = ("NO_COLOR", "TERM", "TERM_PROGRAM")


class BadInput(WireFailure):
    """Standard input is invalid; nothing was sent."""

    code = "bad_request"
    category = "validation-error"
    exit_status = 2
    retry_safe = True


class NotAvailable(WireFailure):
    """A command of later versions."""

    code = "unsupported"
    category = "unsupported"
    exit_status = 2
    retry_safe = True


def run() -> NoReturn:
    """The entry point: `main`, then exit at once, since interpreter shutdown takes a tenth of the whole call."""
    os._exit(main(sys.argv[1:]))  # nothing is buffered: `_print` writes to the descriptors


def main(argv: list[str], *, daemon_arguments: Iterable[str] = ()) -> int:
    """Run one command line; returns the exit status. `daemon_arguments` are for tests with their own host."""
    try:
        if argv and argv[0] in OTHER_NAMES and not _is_agent_browser():
            argv = [*OTHER_NAMES[argv[0]], *argv[1:]]
        if len(argv) > 1 and argv[0] in HELP and argv[1] in (*PROGRAMS, *ABOUT_DAEMON):
            argv = [argv[1], HELP[0]]
        if argv and argv[0] in LATER:
            raise NotAvailable(f"{argv[0]} is not available yet")
        if not argv or argv[0] in ALONE:
            from boathook.surfaces.cli.without_daemon import answer_locally

            screen = _terminal()
            columns = screen["columns"] if screen["is_tty"] else None
            if (text := answer_locally(argv, has_colour=screen["colour"], columns=columns)) is not None:
                return _print(text, to=1)
        if argv and argv[0] in PROGRAMS:
            return _become(argv)
        if argv and argv[0] in ABOUT_DAEMON:
            return _about_daemon(argv, daemon_arguments)
        return _ask_daemon(argv, daemon_arguments)
    except WireFailure as failure:
        return report_failure(failure, as_json=wants_json(argv))
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT


def wants_json(argv: list[str]) -> bool:
    """Whether failures are to be printed as JSON: `--json` before a `--`, or BOATHOOK_JSON."""
    words = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in words or os.environ.get("BOATHOOK_JSON", "").lower() in {"1", "true", "yes", "on"}


def report_failure(failure: WireFailure, *, as_json: bool) -> int:
    """Print a failure of the client in the format of the daemon's errors."""
    if _is_agent_browser():
        return _report_like_agent_browser(failure, as_json=as_json)
    if not as_json:
        _print(f"error: {failure} [{failure.code}]\n", to=2)
        return failure.exit_status
    from json import dumps

    error = {
        "code": failure.code,
        "category": failure.category,
        "message": failure.message,
        "hint": failure.hint,
        "retry_safe": failure.retry_safe,
        "evidence": {},
    }
    _print(dumps({"ok": False, "category": failure.category, "error": error}) + "\n", to=1)
    return failure.exit_status


def _report_like_agent_browser(failure: WireFailure, *, as_json: bool) -> int:
    if as_json:
        from json import dumps

        _print(dumps({"success": False, "data": None, "error": str(failure)}) + "\n", to=1)
    else:
        _print(f"\u2717 {failure}\n", to=2)
    return 1


def _about_daemon(argv: list[str], daemon_arguments: Iterable[str]) -> int:
    """Handle commands that start or stop the daemon."""
    if argv[0] == "uninstall":
        from boathook.surfaces.cli.uninstall import uninstall

        out, err, status = uninstall(argv[1:])
    elif argv[0] == "version":
        from boathook.surfaces.cli.daemon_commands import version_command

        out, err, status = version_command(argv[1:])
    else:
        from boathook.surfaces.cli.daemon_commands import daemon_command

        out, err, status = daemon_command(argv[1:], daemon_arguments=daemon_arguments)
    return _print(out, to=1) or _print(err, to=2) or status


def _become(argv: list[str]) -> int:
    """Run another program by module name, since other commands must not load it."""
    from importlib import import_module

    words = argv if argv[0] in RELAY else argv[1:]
    status: int = import_module(PROGRAMS[argv[0]]).main(words)
    return status


def _ask_daemon(argv: list[str], daemon_arguments: Iterable[str]) -> int:
    stdin = _standard_input() if wants_stdin(argv) else None
    call = messages.call(
        CALL_ID,
        argv=argv,
        cwd=_working_directory(),
        terminal=_terminal(),
        environment=_environment(argv, stdin),
        stdin=stdin,
        owner=messages.owner(pid=os.getpid(), start_time=_start_time()),
    )
    progress = _Progress(argv)
    try:
        reply = call_daemon(
            daemon_folder(),
            call,
            arguments=(*daemon_arguments, *_early_browser(argv)),
            on_progress=progress.show if progress.is_seen else None,
        )
    finally:
        progress.clear()
    if reply.version != __version__:
        _print(_other_version(reply.version), to=2)
    _print(reply.err, to=2)
    return _print(reply.out, to=1) or reply.exit


def _early_browser(argv: list[str]) -> tuple[str, ...]:
    """The option for a daemon that this call starts: start a browser at once, if the call is certain to need the usual one.

    Flags, variables and files can request another browser, or limit what it reaches.
    """
    plain = argv[0] in _OPENS and not any(word.startswith("-") and word != "--json" for word in argv)
    set_here = any(
        (name.startswith(PREFIXES) and name not in _WITHOUT_BROWSER) or name == "XDG_CONFIG_HOME"
        for name in os.environ
    )
    if not plain or set_here or _is_agent_browser():
        return ()
    folders = ("/etc/boathook", f"{home_folder()}/.config/boathook")
    return () if any(os.path.lexists(folder) for folder in folders) else ("--early-browser",)


def _other_version(version: str) -> str:
    return (
        f"note: the daemon is boathook {version}, this is {__version__}; "
        "run `boathook daemon restart` to close its pages and start this version\n"
    )


def wants_stdin(argv: list[str]) -> bool:
    """Whether the command line asks for standard input: `-`, `--stdin`, `--password-stdin`, or `batch` without arguments."""
    if "-" in argv or any(word.startswith("--") and word.endswith("stdin") for word in argv):
        return True
    if "batch" not in argv:
        return False
    at = argv.index("batch")
    if any(not argument.startswith("-") for argument in argv[at + 1 :]):
        return False
    # A word before it is the value of a global flag, or else the command, and then `batch` is only its argument.
    return all(
        word.startswith("-") or (place > 0 and argv[place - 1].startswith("--"))
        for place, word in enumerate(argv[:at])
    )


def _standard_input() -> str:
    try:
        given = sys.stdin.buffer.read(MOST_STDIN_BYTES + 1)
        if len(given) > MOST_STDIN_BYTES:
            raise BadInput(f"standard input is larger than {MOST_STDIN_BYTES:,} bytes")
        return given.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"standard input is not UTF-8: invalid byte at {error.start}") from error
    except (OSError, AttributeError) as error:
        raise BadInput("cannot read standard input") from error


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed under our feet
        return "/"


def _terminal() -> Message:
    is_tty = _is_tty(1)
    try:
        columns = os.get_terminal_size(1).columns if is_tty else DEFAULT_COLUMNS
    except OSError:
        columns = DEFAULT_COLUMNS
    colour = is_tty and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return messages.terminal(is_tty=is_tty, columns=columns or DEFAULT_COLUMNS, colour=colour)


def _is_tty(fd: int) -> bool:
    try:
        return os.isatty(fd)
    except OSError:
        return False


def _environment(argv: list[str], stdin: str | None) -> dict[str, str]:
    """Variables for boathook, and those that the command line names as `env:NAME`."""
    words = [*argv, *stdin.replace('"', " ").replace("'", " ").split()] if stdin and "env:" in stdin else argv
    named = {word.rpartition("env:")[2].rstrip(",]") for word in words if "env:" in word}
    chosen = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(PREFIXES) or name in TERMINAL_NAMES or name in named
    }
    return {**chosen, COMPAT: AGENT_BROWSER} if _is_agent_browser() else chosen


def _is_agent_browser() -> bool:
    """Whether this program is called by the name agent-browser, through a link, or the environment asks for that mode."""
    return sys.argv[0].rpartition("/")[2] == AGENT_BROWSER or os.environ.get(COMPAT, "") == AGENT_BROWSER


def _start_time() -> int | None:
    """The start time of this process, in kernel ticks (Linux)."""
    try:
        with open("/proc/self/stat", "rb") as file:
            text = file.read()
    except OSError:
        return None
    return int(text[text.rindex(b")") + 2 :].split()[_STAT_FIELDS_BEFORE_START])


class _Progress:
    """A progress line, replaced by the next and removed at the end; after two seconds with the time that has passed."""

    def __init__(self, argv: list[str]) -> None:
        self.is_seen = _is_tty(2)
        self._is_shown = False
        self._text = next((word for word in argv if not word.startswith("-")), "")[:SHOWN_WORD]
        self._seconds = 0
        if self.is_seen:
            import signal

            signal.signal(signal.SIGALRM, self._tick)
            signal.setitimer(signal.ITIMER_REAL, QUIET_SECONDS, 1)

    def show(self, text: str) -> None:
        self._text = text
        self._write(f"{text} ({self._seconds} s)" if self._seconds else text)

    def _tick(self, *_: object) -> None:
        self._seconds += 1 if self._seconds else QUIET_SECONDS
        self.show(self._text)

    def _write(self, text: str) -> None:
        _print(f"\r\x1b[K{_printable(text)}", to=2)
        self._is_shown = True

    def clear(self) -> None:
        if self.is_seen:
            import signal

            signal.setitimer(signal.ITIMER_REAL, 0)
        if self._is_shown:
            _print("\r\x1b[K", to=2)
            self._is_shown = False


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def _print(text: str, *, to: int) -> int:
    """Write to a descriptor; returns 0, or 1 on failure. A closed pipe, as with `| head`, is not an error."""
    left = memoryview(text.encode("utf-8", "backslashreplace"))
    while left:
        try:
            left = left[os.write(to, left) :]
        except BlockingIOError:  # another program of this terminal made it so
            import select

            select.select([], [to], [])
        except BrokenPipeError:
            return 0
        except OSError as error:
            return report_unwritten(error.strerror) if to == 1 else 1
    return 0


def report_unwritten(why: str | None) -> int:
    """Standard output does not take the text; returns the exit status."""
    _print(f"error: cannot write the output: {why}\n", to=2)
    return 1

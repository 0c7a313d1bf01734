"""The messages of protocol 1, and the rule for changing them.

| from   | type       | fields                                                                       |
|--------|------------|------------------------------------------------------------------------------|
| client | `hello`    | protocol, version: first on each connection                                  |
| daemon | `hello`    | protocol, version, pid: calls are sent after it                              |
| daemon | `refused`  | reason, hint, ending[, id]: nothing was done; ending: use a new daemon       |
| client | `call`     | id, argv, cwd, terminal, environment, stdin, owner                           |
| client | `run`      | id, command, arguments, settings, cwd, environment, owner, door, client[,    |
|        |            | argv, stdin (instead of command and arguments), agent, confirmed, tools,     |
|        |            | own_session]                                                                 |
| daemon | `progress` | id, text: any number                                                         |
| daemon | `alive`    | nothing: every few seconds while a call runs                                 |
| daemon | `ending`   | nothing, to senders of a `run`: no more calls accepted; use a new daemon     |
| daemon | `answer`   | id, out, err, exit: exactly one per call                                     |
| daemon | `outcome`  | id, outcome: exactly one per run                                             |
| client | `cancel`   | id: the call ends with an answer; so does closing the connection, without    |
| client | `status`   | nothing; answered by `status`: pid, version, protocol, uptime_seconds, calls |
| client | `stop`     | nothing; answered by `stopping`: calls; the connection closes with the daemon|

`terminal` is {is_tty, columns, colour}, `owner` {pid, start_time}, `environment` names and values, `stdin` text or null.
A `call` is answered in text for a terminal, a `run` in data: what `--json` prints, with the text that a model reads and the
images that belong to it.

`hello`, `refused`, `status` and `stop` never change, and the last two need no hello, so every version can ask and end
every other. Any other change of meaning raises PROTOCOL; a new field that may be missing does not, nor a new message,
which an older daemon refuses.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Message = dict[str, Any]

PROTOCOL = 1
PASSED_ON = (
    "BOATHOOK_", "PUPPETEER_", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    "ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "all_proxy", "http_proxy", "https_proxy", "no_proxy",
)  # fmt: skip
"""How the variables begin that clients send with every call; the daemon keeps none of them."""


def hello(*, version: str, pid: int | None = None) -> Message:
    """Who speaks, and in which protocol; a daemon adds its pid."""
    said: Message = {"type": "hello", "protocol": PROTOCOL, "version": version}
    return said if pid is None else said | {"pid": pid}


def refused(reason: str, *, hint: str = "", ending: bool = False, id: str | None = None) -> Message:
    """Nothing was done, and why."""
    said: Message = {"type": "refused", "reason": reason, "hint": hint, "ending": ending}
    return said if id is None else said | {"id": id}


def call(
    id: str,
    *,
    argv: list[str],
    cwd: str,
    terminal: Message,
    environment: dict[str, str],
    stdin: str | None,
    owner: Message,
) -> Message:
    """A command line as the user typed it, and its context."""
    return {
        "type": "call",
        "id": id,
        "argv": argv,
        "cwd": cwd,
        "terminal": terminal,
        "environment": environment,
        "stdin": stdin,
        "owner": owner,
    }


def run(
    id: str,
    *,
    command: str,
    arguments: Message,
    settings: Message,
    cwd: str,
    environment: dict[str, str],
    owner: Message,
    surface: str,
    client: str,
    argv: list[str] | None = None,
    stdin: str | None = None,
    agent: str = "",
    confirmed: str = "",
    tools: list[str] | None = None,
    own_session: str = "",
) -> Message:
    """A command by its name, with JSON arguments; or the words of a command line.

    `agent` is whose configuration applies, `confirmed` the confirmation that a person has approved. `tools` are the keys of
    the tools that an MCP client is offered, `own_session` is the default session of its calls.
    """
    words: Message = {} if argv is None else {"argv": argv, "stdin": stdin}
    offered: Message = {} if tools is None else {"tools": tools, "own_session": own_session}
    return (
        words
        | offered
        | {
            "type": "run",
            "id": id,
            "command": command,
            "arguments": arguments,
            "settings": settings,
            "cwd": cwd,
            "environment": environment,
            "owner": owner,
            "door": surface,
            "client": client,
            "agent": agent,
            "confirmed": confirmed,
        }
    )


def terminal(*, is_tty: bool, columns: int, colour: bool) -> Message:
    """The terminal of the output."""
    return {"is_tty": is_tty, "columns": columns, "colour": colour}


def owner(*, pid: int, start_time: int | None) -> Message:
    """The calling process; with its start time the pid identifies one process permanently."""
    return {"pid": pid, "start_time": start_time}


def progress(id: str, *, text: str) -> Message:
    """A progress line for a person who waits."""
    return {"type": "progress", "id": id, "text": text}


def alive() -> Message:
    """The daemon is still working on it."""
    return {"type": "alive"}


def ending() -> Message:
    """The daemon accepts no more calls; running ones continue."""
    return {"type": "ending"}


def answer(id: str, *, out: str, err: str, exit: int) -> Message:
    """The result of a call."""
    return {"type": "answer", "id": id, "out": out, "err": err, "exit": exit}


def outcome(id: str, *, outcome: Message) -> Message:
    """The result of a run."""
    return {"type": "outcome", "id": id, "outcome": outcome}


def cancel(id: str) -> Message:
    """Cancel this call."""
    return {"type": "cancel", "id": id}


def ask_status() -> Message:
    """Ask for the daemon's status."""
    return {"type": "status"}


def status(*, pid: int, version: str, uptime_seconds: float, calls: list[str]) -> Message:
    """The status of the daemon."""
    return {
        "type": "status",
        "pid": pid,
        "version": version,
        "protocol": PROTOCOL,
        "uptime_seconds": uptime_seconds,
        "calls": calls,
    }


def stop() -> Message:
    """Finish running calls, then exit."""
    return {"type": "stop"}


def stopping(calls: list[str]) -> Message:
    """It will, after these calls."""
    return {"type": "stopping", "calls": calls}

"""Scripts: an agent's own code, run beside a tab in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from boathook.commands.results import Ran
from boathook.errors import BadRequest
from boathook.registry.context import HostScope
from boathook.registry.registry import Also, Between, Doc, Effect, Scope, command

DEFAULT_SECONDS = 30.0
LARGEST_CODE = 1 << 20
Engine = Literal["safe", "jail", "unsafe"]
Language = Literal["python", "js", "js-page"]


@command(
    group="scripts",
    scope=Scope.HOST,
    effect=Effect.ACTS,
    may_navigate=True,
    reads_files=("file",),
    words=("run", "execute"),
    reads_stdin=True,
    examples=("run steps.py", "run -", "run --code 'return await tab.title()'"),
)
async def run(
    host: HostScope,
    file: Annotated[Path | None, Doc("a file with the code; - reads it from standard input")] = None,
    *,
    code: Annotated[str | None, Doc("the code itself: the body of an async function")] = None,
    language: Annotated[
        Language,
        Doc("python, js (in Node) or js-page (in the page itself)"),
        Also("--js", "js"),
        Also("--js-page", "js-page"),
    ] = "python",
    engine: Annotated[
        Engine | None,
        Doc(
            "safe: an interpreter without a system, in a jail; jail: Python or Node in a jail; unsafe: with all that your own"
            " programs may do. Without it jail, for MCP clients safe"
        ),
    ] = None,
    timeout: Annotated[float, Doc("seconds after which it is ended"), Between(1, 300)] = DEFAULT_SECONDS,
) -> Ran:
    """Run code beside the tab, with `tab`, `page`, `browser`, `display`, `assert_`, `wait`, `log` and `state`.

    `await tab.click("@e3")` and the like are the commands of this program. What is displayed and what is returned is the
    answer; `state` is kept for the next run on this tab until `reset`.
    """
    return await host.run_script(_code(host, file, code), language=language, engine=engine, seconds=timeout)


def _code(host: HostScope, file: Path | None, code: str | None) -> str:
    """The code, from the one place that was given."""
    if (file is None) == (code is None):
        raise BadRequest("run needs a file or --code, one of the two", hint="such as `run steps.py`")
    if file is not None and file.name == "-":
        code = host.stdin or ""
    elif file is not None:
        code = _read(file)
    if not code or not code.strip():
        raise BadRequest("there is no code to run")
    if len(code) > LARGEST_CODE:
        raise BadRequest(f"the code is longer than {LARGEST_CODE:,} characters")
    return code


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST_CODE:
            raise BadRequest(f"{file} is larger than {LARGEST_CODE:,} bytes")
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"{file} cannot be read: {error}") from None


@command(group="scripts", scope=Scope.HOST, effect=Effect.ACTS, examples=("reset",))
async def reset(host: HostScope) -> str:
    """Forget what scripts on this tab have put into `state`."""
    names = await host.forget_state()
    return f"forgotten: {', '.join(names)}" if names else "there was nothing to forget"

"""Scripts: an agent's code, run with a tab in a separate process."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Literal

from boathook.commands.results import ScriptResult
from boathook.effects import Effect, SideEffect
from boathook.errors import BadRequest
from boathook.input_files import read_text_file
from boathook.registry.context import HostApi
from boathook.registry.registry import SECONDS, Also, Between, Doc, Scope, command

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
    aliases=("run", "execute"),
    reads_stdin=True,
    side_effects=(SideEffect.RUNS_PROGRAM,),
    core=True,
    examples=("run steps.py", "run -", "run --code 'return await tab.title()'"),
)
async def run(
    host: HostApi,
    file: Annotated[Path | None, Doc("file with the code; - reads standard input")] = None,
    *,
    code: Annotated[str | None, Doc("the code: the body of an async function")] = None,
    language: Annotated[
        Language,
        Doc("python, js (in Node.js) or js-page (in the page)"),
        Also("--js", "js"),
        Also("--js-page", "js-page"),
    ] = "python",
    engine: Annotated[
        Engine | None,
        Doc(
            "safe: a sandboxed interpreter without system access; jail: Python or Node.js in a jail; unsafe: with your full"
            " permissions. Default: jail; for MCP clients: safe"
        ),
    ] = None,
    timeout: Annotated[float, Doc("timeout in seconds"), SECONDS, Between(1, 300)] = DEFAULT_SECONDS,
) -> ScriptResult:
    """Run a script with `tab`, `page`, `browser`, `display`, `assert_`, `wait`, `log` and `state` in scope.

    Commands are methods, such as `await tab.click("@e3")`. The displayed and returned values are the result;
    `state` is kept for the next run on this tab until `reset`.
    """
    source = await asyncio.to_thread(_code, host, file, code)
    return await host.run_script(source, language=language, engine=engine, seconds=timeout)


def _code(host: HostApi, file: Path | None, code: str | None) -> str:
    """The code, from the file or the parameter."""
    if (file is None) == (code is None):
        raise BadRequest("run requires either a file or --code", hint="for example `run steps.py`")
    if file is not None and file.name == "-":
        code = host.stdin or ""
    elif file is not None:
        code = read_text_file(file, most_bytes=LARGEST_CODE, hint="pass a file|, or code: `--code CODE`")
    if not code or not code.strip():
        raise BadRequest("the code is empty")
    if len(code) > LARGEST_CODE:
        raise BadRequest(f"the code is longer than {LARGEST_CODE:,} characters")
    return code


@command(
    group="scripts",
    scope=Scope.HOST,
    effect=Effect.ACTS,
    side_effects=(SideEffect.RUNS_PROGRAM,),
    own_text=True,
    examples=("reset",),
)
async def reset(host: HostApi) -> str:
    """Clear the `state` of scripts on this tab."""
    names = await host.forget_state()
    return f"cleared: {', '.join(names)}" if names else "the state was already empty"

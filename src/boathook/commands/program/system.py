"""The machine: install a browser, diagnose problems, print guides and completions."""

from __future__ import annotations

import importlib.resources
from typing import Annotated, Literal

from boathook.registry.context import CheckResult, HostApi
from boathook.registry.effects import Effect, SideEffect
from boathook.registry.registry import Also, Doc, Scope, command

SKILL: Literal["core"] = "core"


@command(
    group="machine",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    side_effects=(SideEffect.CHANGES_MACHINE,),
    examples=("install",),
)
async def install(host: HostApi) -> str:
    """Install a browser if the machine has none."""
    return await host.install()


@command(
    group="machine", scope=Scope.HOST, category="", examples=("doctor", "doctor --fix", "doctor --quick")
)
async def doctor(
    host: HostApi,
    *,
    fix: Annotated[bool, Doc("fix what can be fixed safely")] = False,
    quick: Annotated[bool, Doc("do not start a browser")] = False,
    offline: Annotated[bool, Doc("do not use the network (only --fix does)")] = False,
) -> list[CheckResult]:
    """Check for problems that keep browsers from working, and print fixes."""
    return await host.examine(fix=fix and not offline, quick=quick)


@command(group="machine", scope=Scope.HOST, aliases=("skills list", "skills"), examples=("skills list",))
async def skills_list(host: HostApi) -> str:
    """List the bundled guides for agents."""
    del host
    return f"{SKILL}  how to use this version, for agents: boathook skills get"


@command(group="machine", scope=Scope.HOST, category="", whole_output=True, examples=("skills get",))
async def skills_get(
    host: HostApi,
    name: Annotated[Literal["core"], Doc("which guide")] = SKILL,
    *,
    full: Annotated[bool, Doc("the whole guide (always the case)"), Also("--all", value=True)] = False,
) -> str:
    """Print a guide for agents as Markdown."""
    del host, name, full
    return importlib.resources.files("boathook.data").joinpath("skill.md").read_text(encoding="utf-8")


@command(group="machine", scope=Scope.HOST, category="", examples=("skills path",))
async def skills_path(host: HostApi, name: Annotated[Literal["core"], Doc("which guide")] = SKILL) -> str:
    """Print the path of a guide's file."""
    del host, name
    return str(importlib.resources.files("boathook.data").joinpath("skill.md"))


@command(group="machine", scope=Scope.HOST, category="", examples=("completion bash",))
async def completion(
    host: HostApi, shell: Annotated[Literal["bash", "zsh", "fish"], Doc("which shell")] = "bash"
) -> str:
    """Print a shell completion script for commands, flags and choices."""
    del host
    script = importlib.resources.files("boathook.data").joinpath(f"completion.{shell}")
    return script.read_text(encoding="utf-8").rstrip("\n")

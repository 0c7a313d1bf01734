"""The machine: what browsers need, and getting one."""

from __future__ import annotations

import importlib.resources
from typing import Annotated, Literal

from boathook.registry.context import Finding, HostScope
from boathook.registry.registry import Also, Doc, Effect, Scope, command

SKILL: Literal["core"] = "core"


@command(group="machine", scope=Scope.HOST, effect=Effect.CHANGES_MACHINE, examples=("install",))
async def install(host: HostScope) -> str:
    """Get a browser when the machine has none."""
    return await host.install()


@command(group="machine", scope=Scope.HOST, examples=("doctor", "doctor --fix", "doctor --quick"))
async def doctor(
    host: HostScope,
    *,
    fix: Annotated[bool, Doc("repair what can be repaired safely")] = False,
    quick: Annotated[bool, Doc("start no browser")] = False,
    offline: Annotated[bool, Doc("ask nothing of the network, which only --fix does")] = False,
) -> list[Finding]:
    """Look for whatever keeps browsers from working, and say what would help."""
    return await host.examine(fix=fix and not offline, quick=quick)


@command(group="machine", scope=Scope.HOST, words=("skills list", "skills"), examples=("skills list",))
async def skills_list(host: HostScope) -> str:
    """The guides for agents that this version brings along."""
    del host
    return f"{SKILL}  what an agent needs to know to use this version: boathook skills get"


@command(group="machine", scope=Scope.HOST, examples=("skills get",))
async def skills_get(
    host: HostScope,
    name: Annotated[Literal["core"], Doc("which guide")] = SKILL,
    *,
    full: Annotated[bool, Doc("the whole of it, which it is anyway"), Also("--all", value=True)] = False,
) -> str:
    """What an agent needs to know to use this version, as Markdown."""
    del host, name, full
    return importlib.resources.files("boathook.data").joinpath("skill.md").read_text(encoding="utf-8")


@command(group="machine", scope=Scope.HOST, examples=("skills path",))
async def skills_path(host: HostScope, name: Annotated[Literal["core"], Doc("which guide")] = SKILL) -> str:
    """Where the guide for agents lies as a file."""
    del host, name
    return str(importlib.resources.files("boathook.data").joinpath("skill.md"))


@command(group="machine", scope=Scope.HOST, examples=("completion bash",))
async def completion(
    host: HostScope, shell: Annotated[Literal["bash", "zsh", "fish"], Doc("which shell")] = "bash"
) -> str:
    """A script that makes a shell complete commands, their words, flags and choices."""
    del host
    script = importlib.resources.files("boathook.data").joinpath(f"completion.{shell}")
    return script.read_text(encoding="utf-8").rstrip("\n")

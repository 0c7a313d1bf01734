"""The machine: install a browser, diagnose problems, print guides and completions."""

from __future__ import annotations

import importlib.resources
from typing import TYPE_CHECKING, Annotated, Any, Literal

from boathook.effects import Effect, SideEffect
from boathook.registry.context import CheckResult, HostApi, PolicyRule
from boathook.registry.registry import Also, Doc, Scope, command

if TYPE_CHECKING:
    from collections.abc import Mapping

SKILL: Literal["core"] = "core"


@command(
    group="machine",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    side_effects=(SideEffect.CHANGES_MACHINE,),
    own_text=True,
    examples=("install",),
)
async def install(host: HostApi) -> str:
    """Install a browser if the machine has none."""
    return await host.install()


def _effects_of_doctor(arguments: Mapping[str, Any]) -> tuple[SideEffect, ...]:
    return (SideEffect.CHANGES_MACHINE,) if arguments.get("fix") else ()


@command(
    group="machine",
    scope=Scope.HOST,
    category="",
    side_effects_when=_effects_of_doctor,
    own_text=True,
    fails_on_findings=True,
    examples=("doctor", "doctor --fix", "doctor --quick"),
)
async def doctor(
    host: HostApi,
    *,
    fix: Annotated[bool, Doc("fix what can be fixed safely")] = False,
    quick: Annotated[bool, Doc("do not start a browser")] = False,
    offline: Annotated[bool, Doc("do not use the network (only --fix does)")] = False,
) -> list[CheckResult]:
    """Check for problems that keep browsers from working, and print fixes. Exit status 7 if something is wrong."""
    return await host.examine(fix=fix and not offline, quick=quick)


@command(
    group="machine",
    scope=Scope.HOST,
    category="",
    own_text=True,
    examples=("doctor policy", "doctor policy --session shop"),
)
async def doctor_policy(host: HostApi) -> list[PolicyRule]:
    """Show the rules that apply to calls here, and the file, call or default that each comes from."""
    return host.policy()


@command(
    group="machine",
    scope=Scope.HOST,
    aliases=("skills list", "skills"),
    own_text=True,
    examples=("skills list",),
)
async def skills_list(host: HostApi) -> str:
    """List the bundled guides for agents."""
    del host
    return f"{SKILL}  how to use this version, for agents: boathook skills get"


@command(
    group="machine", scope=Scope.HOST, category="", whole_output=True, own_text=True, examples=("skills get",)
)
async def skills_get(
    host: HostApi,
    name: Annotated[Literal["core"], Doc("which guide")] = SKILL,
    *,
    full: Annotated[bool, Doc("the whole guide (always the case)"), Also("--all", value=True)] = False,
) -> str:
    """Print a guide for agents as Markdown."""
    del host, name, full
    return importlib.resources.files("boathook.data").joinpath("skill.md").read_text(encoding="utf-8")


@command(group="machine", scope=Scope.HOST, category="", own_text=True, examples=("skills path",))
async def skills_path(host: HostApi, name: Annotated[Literal["core"], Doc("which guide")] = SKILL) -> str:
    """Print the path of a guide's file."""
    del host, name
    return str(importlib.resources.files("boathook.data").joinpath("skill.md"))


@command(group="machine", scope=Scope.HOST, category="", own_text=True, examples=("completion bash",))
async def completion(
    host: HostApi, shell: Annotated[Literal["bash", "zsh", "fish"], Doc("which shell")] = "bash"
) -> str:
    """Print a shell completion script for commands, flags and choices."""
    del host
    script = importlib.resources.files("boathook.data").joinpath(f"completion.{shell}")
    return script.read_text(encoding="utf-8").rstrip("\n")

"""Secret references: `secret:NAME` or `env:NAME` instead of a value keeps it out of prompts, logs and shell histories."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.engine.elements.locate import locate
from boathook.errors import BadRequest, PolicyBlocked
from boathook.service.secrets.secret_sources import SecretSources
from boathook.service.surface import Surface

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.tab import Tab
    from boathook.registry.registry import Command
    from boathook.service.secrets.secret_sources import NamedSecret

_NAMED = re.compile(r"(env|secret):([A-Za-z_][A-Za-z0-9_.-]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """Arguments with values in place of references."""

    arguments: dict[str, Any] = field(repr=False)
    values: frozenset[str] = field(repr=False)
    """What must not be printed."""
    bound: tuple[NamedSecret, ...] = ()
    """Secrets that only pages of some origins may receive."""


def names_any(command: Command, arguments: Mapping[str, Any]) -> bool:
    """Whether there is any reference to a secret, so that it must be resolved."""
    return bool(_references(command, arguments))


def _references(command: Command, arguments: Mapping[str, Any]) -> list[re.Match[str]]:
    given = [arguments.get(name) for name in command.secrets]
    parts = [part for value in given for part in (value if isinstance(value, list) else [value])]
    return [match for part in parts if isinstance(part, str) and (match := _NAMED.fullmatch(part))]


def runs_program(command: Command, arguments: Mapping[str, Any], *, environment: Mapping[str, str]) -> bool:
    """Whether a secret that the arguments name is the output of a program."""
    sources = SecretSources(environment)
    return any(sources.is_program(match[2]) for match in _references(command, arguments))


def resolve(
    command: Command,
    arguments: dict[str, Any],
    *,
    environment: Mapping[str, str],
    surface: Surface = Surface.COMMAND_LINE,
) -> Resolved:
    """Replace references with values; `require_origins` must be called before they are used."""
    sources = SecretSources(environment, surface=surface)
    used: dict[str, NamedSecret] = {}

    def parameter(value: Any) -> Any:
        match = _NAMED.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            return value
        used[match[0]] = sources.find(match[1], match[2])
        return used[match[0]].value

    given = dict(arguments)
    for name in command.secrets:
        value = given.get(name)
        given[name] = [parameter(part) for part in value] if isinstance(value, list) else parameter(value)
        if given[name] is None:
            given.pop(name)
    return Resolved(
        arguments=given,
        values=frozenset(secret.value for secret in used.values()),
        bound=tuple(secret for secret in used.values() if secret.origins is not None),
    )


def value_of(source: str, *, origin: str, environment: Mapping[str, str], surface: Surface) -> str:
    """The value of a source, for pages of one origin; text that is not a source is not repeated, since it may be a secret."""
    match = _NAMED.fullmatch(source)
    if match is None:
        raise BadRequest(
            "pass a reference to the secret, not its value: others can read command lines",
            hint="use env:NAME, secret:NAME, or standard input",
        )
    secret = SecretSources(environment, surface=surface).find(match[1], match[2])
    _require(secret, origin)
    return secret.value


async def require_origins(found: Resolved, command: Command, tab: Tab | None) -> dict[str, Any]:
    """The arguments, if every secret is allowed where the command would enter it; PolicyBlocked before anything is typed.

    The target becomes the ref of the element that was checked, so no other element can replace it afterwards.
    """
    arguments = found.arguments
    if not found.bound:
        return arguments
    if tab is None or not command.types_into:
        raise PolicyBlocked(
            f"{found.bound[0].name} is limited to some origins, so it can only be typed into pages",
            hint="use fill or type",
        )
    target = arguments.get("target") if command.types_into == "target" else None
    if target is None:
        origins = {frame.origin for frame in tab.frames}
    else:
        async with tab.call(
            "checking the origin of the target", seconds=ACTION_SECONDS, read_only=True
        ) as deadline:
            element = await locate(tab, str(target), nth=arguments.get("nth"), deadline=deadline)
        origins = {element.frame.origin}
        arguments = {**arguments, "target": str(element.ref)}
        arguments.pop("nth", None)
    for secret in found.bound:
        for origin in origins:
            _require(secret, origin)
    return arguments


def _require(secret: NamedSecret, origin: str) -> None:
    if not secret.fits(origin):
        shown = origin if "://" in origin and len(origin) > len("://") else "a page with an opaque origin"
        raise PolicyBlocked(
            f"{secret.name} is not allowed on {shown}; nothing was typed",
            hint=f"it is allowed only on {', '.join(str(char) for char in secret.origins or ()) or 'no page'}, as set in the user's file",
            origin=origin,
        )

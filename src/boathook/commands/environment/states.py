"""States that are kept by name: what there is, what each is for, and its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from boathook.engine.launch.profiles.user_profiles import OwnProfile, own_profiles
from boathook.engine.state import state_store
from boathook.engine.state.state_store import KeptState, StateFacts
from boathook.engine.vault import logins
from boathook.engine.vault.rotation import Rotated, rotate
from boathook.errors import BadRequest
from boathook.registry.context import HostScope
from boathook.registry.registry import Between, Doc, Effect, Scope, Short, command

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.vault.sealing import Kind

DAY_SECONDS = 86_400
Name = Annotated[str, Doc("the name under which it was saved")]


@command(group="storage", scope=Scope.HOST, examples=("state list",))
async def state_list(host: HostScope) -> list[KeptState]:
    """The states that are kept by name, with when they were saved."""
    del host
    return state_store.kept_states()


@command(group="storage", scope=Scope.HOST, examples=("state show login",))
async def state_show(host: HostScope, name: Name) -> StateFacts:
    """What a kept state is for: its domains and origins and how much each has; values are not told."""
    del host
    return state_store.facts_of(name)


@command(
    group="storage", scope=Scope.HOST, effect=Effect.CHANGES_MACHINE, examples=("state rename login work",)
)
async def state_rename(
    host: HostScope, name: Name, new_name: Annotated[str, Doc("what it shall be called")]
) -> KeptState:
    """Give a kept state another name."""
    del host
    return state_store.rename(name, new_name)


@command(
    group="storage",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    examples=("state clear login", "state clear --all"),
)
async def state_clear(
    host: HostScope,
    name: Annotated[str | None, Doc("the name under which it was saved")] = None,
    *,
    all: Annotated[bool, Doc("every state that is kept"), Short("a")] = False,
) -> str:
    """Remove a kept state, or all of them."""
    del host
    if all == (name is not None):
        raise BadRequest("state clear takes either a name or --all", hint="`state list` shows the names")
    names = [state.name for state in state_store.kept_states()] if name is None else [name]
    for one in names:
        state_store.remove(one)
    return f"removed {', '.join(names) or 'nothing: none is kept'}"


@command(
    group="storage",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    examples=("state clean --older-than 30",),
)
async def state_clean(
    host: HostScope,
    *,
    older_than: Annotated[float, Doc("days since it was saved"), Between(0, 36_500)],
) -> str:
    """Remove kept states that were saved long ago."""
    del host
    removed = state_store.remove_older(older_than * DAY_SECONDS)
    return f"removed {', '.join(removed) or 'nothing'}"


@command(
    group="storage",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    examples=("state rotate", "state rotate --forget"),
)
async def state_rotate(
    host: HostScope,
    *,
    forget: Annotated[
        bool, Doc("also drop the old keys: what they have sealed in other places cannot be opened any more")
    ] = False,
) -> Rotated:
    """Make a new key, and seal every kept state that is encrypted and every login with it; being ended halfway harms nothing."""
    del host
    files: list[tuple[Path, Kind]] = [(path, "state") for path in state_store.kept_paths()]
    files += [(path, "login") for path in logins.paths()]
    return rotate(files, forget=forget)


@command(group="storage", scope=Scope.HOST, examples=("profiles",))
async def profiles(host: HostScope) -> list[OwnProfile]:
    """The profiles of browsers on this machine, by name: `--profile NAME` works in a copy of one; the real one is never opened."""
    del host
    return own_profiles()

"""Saved states by name: list, show, rename and remove."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from boathook.effects import Effect, SideEffect
from boathook.engine.launch.profiles.user_profiles import UserProfile, list_profiles
from boathook.engine.state import state_store
from boathook.engine.state.state_store import KeptState, StateFacts
from boathook.engine.vault import logins
from boathook.engine.vault.rotation import Rotated, rotate
from boathook.errors import BadRequest
from boathook.registry.context import HostApi
from boathook.registry.registry import Between, Doc, Scope, Short, command

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.vault.sealing import Kind

DAY_SECONDS = 86_400
Name = Annotated[str, Doc("the name of the state")]


@command(
    group="storage",
    scope=Scope.HOST,
    side_effects=(SideEffect.READS_STATE,),
    own_text=True,
    examples=("state list",),
)
async def state_list(host: HostApi) -> list[KeptState]:
    """List saved states with the time they were saved."""
    del host
    return state_store.list_states()


@command(
    group="storage", scope=Scope.HOST, side_effects=(SideEffect.READS_STATE,), examples=("state show login",)
)
async def state_show(host: HostApi, name: Name) -> StateFacts:
    """Show the domains and origins of a saved state with item counts. Values are not shown."""
    del host
    return state_store.facts_of(name)


@command(
    group="storage",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    side_effects=(SideEffect.WRITES_STATE,),
    own_text=True,
    examples=("state rename login work",),
)
async def state_rename(host: HostApi, name: Name, new_name: Annotated[str, Doc("the new name")]) -> KeptState:
    """Rename a saved state."""
    del host
    return state_store.rename(name, new_name)


@command(
    group="storage",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    side_effects=(SideEffect.WRITES_STATE,),
    own_text=True,
    examples=("state clear login", "state clear --all"),
)
async def state_clear(
    host: HostApi,
    name: Annotated[str | None, Doc("the name of the state")] = None,
    *,
    all: Annotated[bool, Doc("remove all saved states"), Short("a")] = False,
) -> str:
    """Remove one saved state or all of them."""
    del host
    if all == (name is not None):
        raise BadRequest("state clear takes either a name or --all", hint="run `state list` for the names")
    names = [state.name for state in state_store.list_states()] if name is None else [name]
    for stored_name in names:
        state_store.remove(stored_name)
    return f"removed {', '.join(names) or 'nothing: there are no saved states'}"


@command(
    group="storage",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    side_effects=(SideEffect.WRITES_STATE,),
    own_text=True,
    examples=("state clean --older-than 30",),
)
async def state_clean(
    host: HostApi,
    *,
    older_than: Annotated[float, Doc("minimum age in days"), Between(0, 36_500)],
) -> str:
    """Remove old saved states."""
    del host
    removed = state_store.remove_older(older_than * DAY_SECONDS)
    return f"removed {', '.join(removed) or 'nothing'}"


@command(
    group="storage",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    side_effects=(SideEffect.WRITES_LOGIN,),
    own_text=True,
    examples=("state rotate", "state rotate --forget"),
)
async def state_rotate(
    host: HostApi,
    *,
    forget: Annotated[
        bool, Doc("also delete the old keys; files elsewhere that they encrypt become unreadable")
    ] = False,
) -> Rotated:
    """Create a new key and re-encrypt all encrypted states and logins with it. Safe to interrupt."""
    del host
    files: list[tuple[Path, Kind]] = [(path, "state") for path in state_store.list_state_paths()]
    files += [(path, "login") for path in logins.paths()]
    return rotate(files, forget=forget)


@command(group="storage", scope=Scope.HOST, own_text=True, examples=("profiles",))
async def profiles(host: HostApi) -> list[UserProfile]:
    """List the browser profiles on this machine. `--profile NAME` uses a copy; the original is never opened."""
    del host
    return list_profiles()

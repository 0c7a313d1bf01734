"""Dialogs of pages, and what browsers ask people: names and passwords, permissions."""

from __future__ import annotations

from typing import Annotated, Literal

from boathook.engine.actions import dialog_answers
from boathook.engine.actions.dialog_answers import AnsweredDialog
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.engine.page.dialogs import Dialog
from boathook.engine.page.permissions import set_permissions
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Doc, Effect, command


@command(
    group="dialogs", effect=Effect.ACTS, handles_dialog=True, examples=("answer dialog --accept --text Ann",)
)
async def answer_dialog(
    tab: Tab,
    *,
    accept: Annotated[bool, Doc("yes or no")],
    text: Annotated[str, Doc("what to write into a prompt")] = "",
) -> AnsweredDialog:
    """Answer the confirm or prompt that waits."""
    return await _answered(tab, accept=accept, text=text)


async def _answered(tab: Tab, *, accept: bool, text: str = "") -> AnsweredDialog:
    async with tab.call("answering the dialog", seconds=ACTION_SECONDS, needs_page=False) as deadline:
        return await dialog_answers.answer_dialog(tab, accept=accept, text=text, deadline=deadline)


@command(
    group="dialogs",
    effect=Effect.ACTS,
    handles_dialog=True,
    words=("dialog accept",),
    examples=("dialog accept", "dialog accept Ann"),
)
async def accept_dialog(
    tab: Tab, text: Annotated[str, Doc("what to write into a prompt")] = ""
) -> AnsweredDialog:
    """Say yes to the dialog that waits."""
    return await _answered(tab, accept=True, text=text)


@command(group="dialogs", handles_dialog=True, examples=("dialog status",))
async def dialog_status(tab: Tab) -> Dialog | None:
    """The dialog that waits for an answer; nothing when there is none."""
    return tab.dialogs.pending


@command(
    group="dialogs",
    effect=Effect.ACTS,
    handles_dialog=True,
    words=("dialog dismiss",),
    examples=("dialog dismiss",),
)
async def dismiss_dialog(tab: Tab) -> AnsweredDialog:
    """Say no to the dialog that waits."""
    return await _answered(tab, accept=False)


@command(
    group="dialogs",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    examples=("set dialog policy dismiss",),
)
async def set_dialog_policy(
    tab: Tab,
    policy: Annotated[
        Literal["default", "accept", "dismiss", "hold"], Doc("what happens to dialogs from now on")
    ],
) -> None:
    """`accept`, `dismiss` or `hold` all dialogs; `default` accepts alerts and holds the rest.

    Leaving a page is never held.
    """
    async with tab.call("setting the dialog policy", seconds=READ_SECONDS, looks=True, needs_page=False):
        await tab.dialogs.set_policy(None if policy == "default" else policy)


@command(
    group="dialogs",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    secrets=("password",),
    examples=("set credentials ann env:PASSWORD", "set credentials"),
)
async def set_credentials(
    tab: Tab,
    user: Annotated[str | None, Doc("the user's name; without it, nothing is answered any more")] = None,
    password: Annotated[str, Doc("the password")] = "",
    *,
    timeout: Timeout = READ_SECONDS,
) -> None:
    """What to answer servers that ask for a user name and a password; no user stops that."""
    async with tab.call("setting credentials", seconds=timeout, looks=True, needs_page=False):
        await tab.credentials.set(user, password)


@command(
    group="dialogs",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    examples=("grant geolocation --origin https://example.org",),
)
async def grant(
    tab: Tab,
    *permissions: Annotated[str, Doc("such as geolocation, camera, notifications")],
    origin: Annotated[str | None, Doc("the site that gets them; all without it")] = None,
    timeout: Timeout = READ_SECONDS,
) -> None:
    """Grant permissions such as geolocation, to an origin or to all; everything else is denied."""
    async with tab.call("granting permissions", seconds=timeout, looks=True, needs_page=False):
        await set_permissions(tab, permissions, origin=origin, context=tab.browser.context_of(tab))


@command(group="dialogs", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("reset permissions",))
async def reset_permissions(tab: Tab, *, timeout: Timeout = READ_SECONDS) -> None:
    """Take all granted permissions back."""
    async with tab.call("taking back permissions", seconds=timeout, looks=True, needs_page=False):
        await set_permissions(tab, None, origin=None, context=tab.browser.context_of(tab))

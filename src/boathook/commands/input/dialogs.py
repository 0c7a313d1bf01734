"""JavaScript dialogs, HTTP authentication and permissions."""

from __future__ import annotations

from typing import Annotated, Literal

from boathook.clock import READ_SECONDS, Deadline
from boathook.effects import Effect
from boathook.engine.actions import dialog_answers
from boathook.engine.actions.dialog_answers import AnsweredDialog
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.engine.page.dialogs import Dialog
from boathook.engine.page.permissions import set_permissions
from boathook.engine.tab import Tab
from boathook.registry.registry import Doc, FreeText, command
from boathook.registry.script_helper import ScriptHelper


@command(
    group="dialogs",
    effect=Effect.ACTS,
    handles_dialog=True,
    answers_dialog=True,
    doing="answering the dialog",
    seconds=ACTION_SECONDS,
    script_helpers=(ScriptHelper("dialog", ("accept", "text")),),
    examples=("answer dialog --accept --text Ann",),
)
async def answer_dialog(
    tab: Tab,
    *,
    accept: Annotated[bool, Doc("accept or dismiss")],
    text: Annotated[str, Doc("text to enter in a prompt")] = "",
    deadline: Deadline,
) -> AnsweredDialog:
    """Answer the open confirm or prompt dialog."""
    return await dialog_answers.answer_dialog(tab, accept=accept, text=text, deadline=deadline)


@command(
    group="dialogs",
    effect=Effect.ACTS,
    handles_dialog=True,
    answers_dialog=True,
    aliases=("dialog accept",),
    doing="answering the dialog",
    seconds=ACTION_SECONDS,
    examples=("dialog accept", "dialog accept Ann"),
)
async def accept_dialog(
    tab: Tab, text: Annotated[str, Doc("text to enter in a prompt"), FreeText()] = "", *, deadline: Deadline
) -> AnsweredDialog:
    """Accept the open dialog."""
    return await dialog_answers.answer_dialog(tab, accept=True, text=text, deadline=deadline)


@command(group="dialogs", handles_dialog=True, empty_answer="none", examples=("dialog status",))
async def dialog_status(tab: Tab) -> Dialog | None:
    """Show the open dialog, if there is one."""
    return tab.dialogs.pending


@command(
    group="dialogs",
    effect=Effect.ACTS,
    handles_dialog=True,
    answers_dialog=True,
    aliases=("dialog dismiss",),
    doing="answering the dialog",
    seconds=ACTION_SECONDS,
    examples=("dialog dismiss",),
)
async def dismiss_dialog(tab: Tab, *, deadline: Deadline) -> AnsweredDialog:
    """Dismiss the open dialog."""
    return await dialog_answers.answer_dialog(tab, accept=False, text="", deadline=deadline)


@command(
    group="dialogs",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    answers_dialog=True,
    doing="setting the dialog policy",
    seconds=READ_SECONDS,
    examples=("set dialog policy dismiss",),
)
async def set_dialog_policy(
    tab: Tab,
    policy: Annotated[Literal["default", "accept", "dismiss", "hold"], Doc("how to handle dialogs")],
) -> None:
    """Set how dialogs are handled: `accept`, `dismiss`, `hold`, or `default` (accept alerts, hold the rest).

    beforeunload dialogs are never held.
    """
    await tab.dialogs.set_policy(None if policy == "default" else policy)


@command(
    group="dialogs",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    secrets=("password",),
    doing="setting credentials",
    timeout=READ_SECONDS,
    category="network",
    examples=("set credentials ann env:PASSWORD", "set credentials"),
)
async def set_credentials(
    tab: Tab,
    user: Annotated[str | None, Doc("the user name; omit it to clear the credentials")] = None,
    password: Annotated[str, Doc("the password")] = "",
) -> None:
    """Set HTTP authentication credentials; omit the user to clear them."""
    await tab.credentials.set(user, password)


@command(
    group="dialogs",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    doing="granting permissions",
    timeout=READ_SECONDS,
    category="emulate",
    examples=("grant geolocation --origin https://example.org",),
)
async def grant(
    tab: Tab,
    *permissions: Annotated[str, Doc("permission names, such as geolocation, camera, notifications")],
    origin: Annotated[str | None, Doc("the origin to grant them to (default: all origins)")] = None,
) -> None:
    """Grant permissions such as geolocation to one origin or to all. All others are denied."""
    await set_permissions(tab, permissions, origin=origin, context=tab.browser.context_of(tab))


@command(
    group="dialogs",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    doing="revoking permissions",
    timeout=READ_SECONDS,
    category="emulate",
    examples=("reset permissions",),
)
async def reset_permissions(
    tab: Tab,
) -> None:
    """Revoke all granted permissions."""
    await set_permissions(tab, None, origin=None, context=tab.browser.context_of(tab))

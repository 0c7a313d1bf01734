"""What a confirmation is about: the tab, its document, and the elements, the point or the dialog that a call would act on."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.engine.elements.purpose import Purpose, purpose_of
from boathook.engine.elements.selector import point_target
from boathook.engine.hosts.host_names import host_and_port
from boathook.errors import BoathookError
from boathook.input_files import read_input_file
from boathook.presentation.quoting import quote, visible
from boathook.registry.registry import URL_PARAMETERS, Scope
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.tab import Tab
    from boathook.service.call import Call
    from boathook.service.sessions.session import Session

LOOK_SECONDS = 3.0
KEYBOARD = ("act", "keyboard and mouse")
"""Groups of commands that act on the focused element unless they name another one, or act where the mouse is."""
FOCUSED = "css=:focus"
SHOWN_URL, SHOWN_VALUE, SHOWN_NAME, SHOWN_SENT, SHOWN_DIALOG = 300, 1_000, 200, 1_000, 1_000
_READ = ("state", "init_script")


@dataclass(frozen=True, slots=True)
class OpenDialog:
    """The dialog that a call would answer; its number, because a later one may have the same text."""

    number: int
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a call would act; an approval is valid only while it stays the same."""

    tab: str = ""
    url: str = ""
    document: str = ""
    elements: Mapping[str, Purpose | None] = field(default_factory=dict)
    """By parameter; None for an element that is not on the page."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Digests of the files that the call would read: other content is another action."""
    found: Purpose | None = None
    """The element that no parameter names by itself: the one that several name together, the one under the mouse,
    or the focused one."""
    point: tuple[float, float] | None = None
    """Where the mouse is, for a call that acts there."""
    dialog: OpenDialog | None = None

    @property
    def key(self) -> list[Any]:
        """Equal for the same tab, document, elements, point and dialog, if they would send the same."""
        return [self.tab, self.document, self.elements, self.found, self.files, self.point, self.dialog]

    @property
    def purposes(self) -> list[Purpose]:
        """All elements that are on the page."""
        return [purpose for purpose in (*self.elements.values(), self.found) if purpose is not None]

    def with_refs(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with the elements that were shown, so that no other one can take their place."""
        named = {name: purpose.ref for name, purpose in self.elements.items() if purpose is not None}
        return {**arguments, **named}


NOWHERE = Scene()


async def scene_of(call: Call, arguments: Mapping[str, Any], session: Session | None) -> Scene:
    """Where a call would act now. No session is started for it, and no tab opened."""
    files = await asyncio.to_thread(_digests, call, arguments)
    if session is None or not session.alive or call.command.scope is not Scope.TAB:
        return Scene(files=files)
    wanted = call.settings.get("tab")
    try:
        tab = await session.resolve_tab(str(wanted)) if wanted else session.current_tab
    except BoathookError:
        return Scene(files=files)
    if tab is None:
        return Scene(files=files)
    # A URL that is opened does not depend on the document before it.
    document = "" if call.command.group == "navigate" else tab.frames.main.loader_id
    elements = await _elements(call, arguments, tab)
    # Read once: the mouse may move while the element under it is looked up.
    point = tab.held.point if call.command.acts_at_pointer else None
    found = None if elements else await _found(call, arguments, tab, point)
    return Scene(tab.id, tab.url, document, elements, files, found, point, _dialog(call, tab))


def _dialog(call: Call, tab: Tab) -> OpenDialog | None:
    open_now = tab.dialogs.pending
    if open_now is None or not call.command.answers_dialog:
        return None
    return OpenDialog(tab.dialogs.pending_number, open_now.kind, open_now.message)


def _digests(call: Call, arguments: Mapping[str, Any]) -> dict[str, str]:
    settings = {
        name: call.settings.get(name) for name in (*_READ, "action_policy") if name in call.own_settings
    }
    given = {name: arguments.get(name) for name in call.command.reads_files} | settings
    listed = {
        str(path)
        for value in given.values()
        for path in (value if isinstance(value, list | tuple) else [value])
        if path
    }
    return {path: _digest(path) for path in sorted(listed)}


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(read_input_file(path)).hexdigest()
    except OSError as error:
        return str(error.strerror)


async def _elements(call: Call, arguments: Mapping[str, Any], tab: Tab) -> dict[str, Purpose | None]:
    found: dict[str, Purpose | None] = {}
    for parameter in call.command.elements:
        target = arguments.get(parameter.name)
        if isinstance(target, str):
            found[parameter.name] = await _purpose(tab, target, arguments.get("nth"))
    return found


async def _found(
    call: Call, arguments: Mapping[str, Any], tab: Tab, point: tuple[float, float] | None
) -> Purpose | None:
    if call.command.acts_at_pointer:
        return await _purpose(tab, point_target(*point), None) if point is not None else None
    if call.command.target_of is not None:
        wanted = call.command.target_of(arguments)
        return await _purpose(tab, *wanted) if wanted is not None else None
    uses_focus = call.command.types_into == "focus" or call.command.group in KEYBOARD
    return await _purpose(tab, FOCUSED, None) if uses_focus else None


async def _purpose(tab: Tab, target: str, nth: int | None) -> Purpose | None:
    try:
        async with tab.call("describing an action", seconds=LOOK_SECONDS) as deadline:
            return await purpose_of(tab, target, nth=nth, deadline=deadline)
    except BoathookError:
        return None


def describe(call: Call, arguments: Mapping[str, Any], scene: Scene) -> str:
    """The question to the user: what would be done, to which element, on which page, and what would be sent."""
    parts = [call.command.cli_name]
    for name, value in arguments.items():
        if name in call.command.secrets and not _may_be_shown(call, value, scene):
            parts.append(_hidden(name, value))
        elif purpose := scene.elements.get(name):
            parts.append(_shown_purpose(purpose))
        elif value not in (None, (), [], False):
            missing = " (not on the page)" if name in scene.elements else ""
            host = _host_of(name, value)
            parts.append(f"{name}={quote(_shortened(str(value), SHOWN_VALUE))}{host}{missing}")
    if scene.dialog is not None:
        parts.append(_shown_dialog(scene.dialog))
    if scene.point is not None:
        parts.append(f"at {scene.point[0]:g},{scene.point[1]:g}")
    if scene.found is not None:
        parts.append(f"to {_shown_purpose(scene.found)}")
    elif scene.point is not None:
        parts.append("(no element found there)")
    parts += _shown_settings(call)
    where = f" on {_shortened(scene.url, SHOWN_URL)} (tab {scene.tab})" if scene.tab else ""
    sends = [purpose.sends for purpose in scene.purposes if purpose.sends]
    would_send = f"; would send {_shortened(sends[0], SHOWN_SENT)}" if sends else ""
    return " ".join(parts) + where + would_send


def _may_be_shown(call: Call, value: object, scene: Scene) -> bool:
    """Whether a value that may be private is shown: the name of a secret, or what is typed into an ordinary field."""
    if isinstance(value, str) and value.startswith(("secret:", "env:")):
        return True
    return bool(call.command.types_into and scene.purposes) and not any(
        purpose.secret for purpose in scene.purposes
    )


def _shortened(text: str, most: int) -> str:
    """Text on one line; if it is long its beginning and its end, and how much is left out."""
    shown = visible(text)
    if len(shown) <= most:
        return shown
    half = most // 2
    return f"{shown[:half]} [… {len(shown) - 2 * half} characters not shown …] {shown[-half:]}"


def _host_of(name: str, value: Any) -> str:
    """The host of a URL, which a long or misleading one hides."""
    place = host_and_port(str(value)) if name in URL_PARAMETERS and "//" in str(value) else None
    return f" (host {place[0]}:{place[1]})" if place is not None else ""


def _hidden(name: str, value: Any) -> str:
    """A value that is not shown; of several words only the last one is hidden."""
    words = list(value) if isinstance(value, list | tuple) else []
    shown = "".join(f"{quote(_shortened(str(word), SHOWN_NAME))} " for word in words[:-1])
    return (
        f"{name}={shown}[hidden]"
        if len(words) != 1
        else f"{name}={quote(_shortened(str(words[0]), SHOWN_NAME))}"
    )


def _shown_settings(call: Call) -> list[str]:
    """The settings of the call that do something."""
    given = {name: call.settings.get(name) for name in sorted(call.own_settings) if name in SETTINGS}
    return [
        f"{SETTINGS[name].flag} {quote(_shortened(str(value), SHOWN_VALUE))}"
        for name, value in given.items()
        if value and SETTINGS[name].effects
    ]


def _shown_dialog(dialog: OpenDialog) -> str:
    return f"{visible(dialog.kind)} dialog {quote(_shortened(dialog.message, SHOWN_DIALOG))}"


def _shown_purpose(purpose: Purpose) -> str:
    name = f" {quote(_shortened(purpose.name, SHOWN_NAME))}" if purpose.name else ""
    return f"{visible(purpose.role)}{name} {purpose.ref}"

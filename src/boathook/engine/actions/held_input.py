"""What is held down in a tab between two calls: mouse buttons, keys, and the mouse position."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from boathook.engine.actions.keys import MODIFIERS, key_events
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.actions.keys import KeyboardKey
    from boathook.engine.tab import Tab

Button = Literal["left", "right", "middle"]
BITS: dict[str, int] = {"left": 1, "right": 2, "middle": 4}


@dataclass(slots=True, kw_only=True)
class Held:
    """Buttons and keys that are down, in the order in which they were pressed."""

    buttons: dict[Button, int] = field(default_factory=dict)
    """The click count of each press."""
    keys: dict[str, KeyboardKey] = field(default_factory=dict)
    point: tuple[float, float] | None = None
    dragged: dict[str, Any] | None = None
    """The data of an HTML drag, once the browser has started it."""
    watched: CdpSession | None = None

    @property
    def anything(self) -> bool:
        """Whether a button or a key is down."""
        return bool(self.buttons or self.keys)

    @property
    def button_bits(self) -> int:
        """Buttons as protocol bits."""
        return sum(BITS[button] for button in self.buttons)

    @property
    def modifiers(self) -> list[str]:
        """Names of the modifier keys that are down."""
        return [key.key for key in self.keys.values() if key.key in MODIFIERS]

    @property
    def modifier_bits(self) -> int:
        """Modifiers as protocol bits."""
        return sum({MODIFIERS[name] for name in self.modifiers})

    def clear(self) -> None:
        """Nothing is down."""
        self.buttons.clear()
        self.keys.clear()
        self.dragged = None


async def release_all(tab: Tab) -> tuple[str, ...]:
    """Release everything that is down, last first; returns a note about it."""
    held = tab.held
    names = (*held.keys, *(f"the {button} button" for button in held.buttons))
    with suppress(BoathookError):
        for key in reversed(list(held.keys.values())):
            await send_up(tab, key)
        for button in reversed(list(held.buttons)):
            await release(tab, button)
    held.clear()
    return (f"released {' and '.join(names)} first",) if names else ()


async def send_up(tab: Tab, key: KeyboardKey) -> None:
    """Release a key."""
    tab.held.keys.pop(key.code or key.key, None)
    modifiers = tab.held.modifiers
    await tab.session.send("Input.dispatchKeyEvent", **key_events(modifiers, key)[len(modifiers) + 1])


async def release(tab: Tab, button: Button) -> None:
    """Release a button at the mouse position; dragged data is dropped there."""
    held = tab.held
    x, y = held.point or (0.0, 0.0)
    dragged, clicks = held.dragged, held.buttons.pop(button, 1)
    if dragged is not None and button == "left":
        held.dragged = None
        for kind in ("dragOver", "drop"):
            await tab.session.send("Input.dispatchDragEvent", type=kind, x=x, y=y, data=dragged)
    await tab.session.send(
        "Input.dispatchMouseEvent",
        type="mouseReleased",
        x=x,
        y=y,
        button=button,
        buttons=held.button_bits,
        modifiers=held.modifier_bits,
        clickCount=clicks,
    )
    if button == "left":
        await tab.session.send("Input.setInterceptDrags", enabled=False)

"""The part of the public Browser that is no command: its life, and what is known about it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from boathook.engine.browser import Browser as EngineBrowser


class BrowserBase:
    """A browser, ours or somebody else's. Use it with `async with`."""

    def __init__(self, engine: EngineBrowser) -> None:
        self._engine = engine

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def kind(self) -> str:
        """`managed` when we started it, `cdp` when somebody else did."""
        return self._engine.kind

    @property
    def product(self) -> str:
        """Name and version, as the browser says them."""
        return self._engine.product

    @property
    def notes(self) -> tuple[str, ...]:
        """What the caller should know about this launch, such as a sandbox that is off."""
        return self._engine.notes

    async def close(self) -> None:
        """End a browser that we started; disconnect from one that we did not."""
        scripting = sys.modules.get("boathook.surfaces.python.scripting")
        if scripting is not None:  # somebody has run scripts
            scripting.close_desk(self._engine)
        await self._engine.close()

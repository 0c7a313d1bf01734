"""The part of the public Browser that is not generated from commands: lifetime and properties."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from boathook.engine.browser import Browser as EngineBrowser


class BrowserBase:
    """A launched or attached browser. Use it with `async with`."""

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
        """`managed` if it was launched here, `cdp` if it was attached."""
        return self._engine.kind

    @property
    def product(self) -> str:
        """Name and version of the browser."""
        return self._engine.product

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about this launch, for example that the sandbox is off."""
        return self._engine.notes

    async def close(self) -> None:
        """Close a launched browser; disconnect from an attached one."""
        scripting = sys.modules.get("boathook.surfaces.python.scripting")
        if scripting is not None:  # scripts have been run
            scripting.close_script_runner(self._engine)
        await self._engine.close()

"""Base classes of the synchronous Browser and Tab: they wrap the asynchronous ones and their loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from boathook.surfaces.python import async_api
    from boathook.surfaces.python.portal import Portal


class BrowserBase:
    """A launched or attached browser. Use it with `with`."""

    def __init__(self, portal: Portal, inner: async_api.Browser) -> None:
        self._portal = portal
        self._inner = inner

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close a launched browser; disconnect from an attached one."""
        try:
            self._portal.call(self._inner.close())
        finally:
            self._portal.close()


class TabBase:
    """One page, with a stable id."""

    def __init__(self, portal: Portal, inner: async_api.Tab) -> None:
        self._portal = portal
        self._inner = inner

    def __repr__(self) -> str:
        return repr(self._inner)

"""What the synchronous Browser and Tab stand on: the asynchronous one inside, the loop that it lives on, and its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from boathook.surfaces.python import async_api
    from boathook.surfaces.python.portal import Portal


class BrowserBase:
    """A browser, ours or somebody else's. Use it with `with`."""

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
        """End a browser that we started; disconnect from one that we did not."""
        try:
            self._portal.call(self._inner.close())
        finally:
            self._portal.close()


class TabBase:
    """One page, by its lasting id."""

    def __init__(self, portal: Portal, inner: async_api.Tab) -> None:
        self._portal = portal
        self._inner = inner

    def __repr__(self) -> str:
        return repr(self._inner)

"""Fast import of the SDK for stdio servers, since clients wait for the start of every session.

Three things take half of the SDK's (2.3) import time: its packages import their clients, its server imports a web framework,
and pydantic builds validators for hundreds of models of which a session uses a few. Remove this file when the SDK imports
these lazily. `tests/mcp/test_fast_import.py`
compares both ways of loading.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGES = ("mcp", "mcp.server", "mcp.shared")
"""Packages of which only single modules are needed."""
_WEB = (
    "starlette",
    "sse_starlette",
    "mcp.server.auth",
    "mcp.server.streamable_http",
    "mcp.server.streamable_http_manager",
    "mcp.server._streamable_http_modern",
    "mcp.server.transport_security",
)
"""Modules that the SDK's server imports but uses for HTTP only."""


@contextmanager
def light_sdk(*, http: bool) -> Iterator[None]:
    """Import the SDK's modules in this block; without `http`, skip what only web servers need."""
    collecting = gc.isenabled()
    gc.disable()  # thousands of small objects that all stay
    try:
        with _defer_validators(), _packages_by_path(), _leave_out(() if http else _WEB):
            yield
    finally:
        gc.freeze()  # what was loaded is not looked through again and again
        if collecting:
            gc.enable()


@contextmanager
def _defer_validators() -> Iterator[None]:
    """Build validators of models lazily, unless they say otherwise."""
    try:
        from pydantic import TypeAdapter  # noqa: PLC0415 (only servers need it)
        from pydantic._internal import _config  # noqa: PLC0415 (the only place with the default)

        defaults, asked = _config.config_defaults, TypeAdapter._defer_build  # noqa: SLF001
    except (ImportError, AttributeError):
        yield
        return
    before = defaults.get("defer_build", False)
    defaults["defer_build"] = True
    setattr(TypeAdapter, "_defer_build", lambda _self: True)  # noqa: B010 (mypy takes no other form)
    try:
        yield
    finally:
        defaults["defer_build"] = before
        setattr(TypeAdapter, "_defer_build", asked)  # noqa: B010


@contextmanager
def _packages_by_path() -> Iterator[None]:
    """Replace packages by stand-ins that only know where their modules are."""
    found = importlib.util.find_spec("mcp")
    if found is None or not found.submodule_search_locations or "mcp" in sys.modules:
        yield
        return
    root = Path(found.submodule_search_locations[0])
    for name in _PACKAGES:
        package = ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package
    yield


@contextmanager
def _leave_out(names: tuple[str, ...]) -> Iterator[None]:
    """Use placeholders for these modules; code that needs them does not run in this process."""
    finder = _Placeholders(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Placeholder(ModuleType):
    """A module in which every name is an empty class."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _Placeholders(MetaPathFinder, Loader):
    """Finds placeholders for some modules and what is inside them."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """A placeholder, or None for other modules."""
        del path, target
        is_ours = any(name == left_out or name.startswith(f"{left_out}.") for left_out in self._names)
        return ModuleSpec(name, self, is_package=True) if is_ours else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """An empty one."""
        return _Placeholder(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing."""

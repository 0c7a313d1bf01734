"""Install a browser on a machine that has none: sources are tried in order until one provides a working browser."""

from __future__ import annotations

import os
import platform
import sys
from typing import TYPE_CHECKING

from boathook.engine.launch.install.npm_package import NpmPackage
from boathook.engine.launch.install.packages import SystemPackages
from boathook.engine.launch.install.source import InstallContext, why_it_does_not_run
from boathook.engine.launch.install.testing_build import TestingBuild
from boathook.engine.launch.profiles.profile_dir import cache_directory
from boathook.errors import InstallFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boathook.engine.launch.find_chrome import FoundBrowser
    from boathook.engine.launch.install.source import Source

__all__ = ["NpmPackage", "SystemPackages", "TestingBuild", "default_sources", "install_browser"]


def default_sources() -> tuple[Source, ...]:
    """The system's package manager, the vendor's download, an npm package."""
    return (SystemPackages(), TestingBuild(), NpmPackage())


def install_browser(
    *,
    sources: Sequence[Source] | None = None,
    progress: Callable[[str], None] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> FoundBrowser:
    """Install a browser from the first source that provides a working one. Blocks, for minutes if necessary."""
    context = InstallContext(
        cache=cache_directory(environ) / "browsers",
        environ=environ,
        platform=sys.platform,
        machine=platform.machine().lower(),
        progress=progress or (lambda _: None),
    )
    failures: dict[str, str] = {}
    for source in default_sources() if sources is None else sources:
        context.progress(f"trying {source.name}")
        try:
            found = source.install(context)
        except InstallFailed as error:
            failures[source.name] = error.message
        else:
            trouble = why_it_does_not_run(found.path, context.environ)
            if not trouble:
                context.progress(f"installed {found.path}")
                return found
            failures[source.name] = f"{found.path} does not run: {trouble}"
        context.progress(f"{source.name}: {failures[source.name]}")
    listed = "".join(f"\n  {name}: {why}" for name, why in failures.items())
    raise InstallFailed(f"no source provided a working browser:{listed}", failures=failures)

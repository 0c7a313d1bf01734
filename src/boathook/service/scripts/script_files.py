"""Files that helpers of a script may read and write: its scratch folder, and what the user has named or works in."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest, PolicyBlocked
from boathook.runtime_folder import home_folder, own_folders
from boathook.service.scripts.scratch_folder import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from boathook.registry.registry import Command

_OF_BROWSERS = "boathook-files-"
"""Uploads and downloads of browsers, in the folder for temporary files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRules:
    """Which folders a caller offers to the helpers of a script."""

    folder: Path
    """The caller's working directory."""
    usual: tuple[Path, ...]
    """Folders for a direction in which the user has named none; without hidden files and Boathook's own ones."""
    upload_roots: tuple[Path, ...] | None = None
    """Named by the user."""
    output_roots: tuple[Path, ...] | None = None
    downloads: Path | None = None
    """Where downloads without a path are saved, if the user has set it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptFiles:
    """The files of one run."""

    rules: FileRules
    scratch: Path

    @property
    def readable(self) -> tuple[Path, ...]:
        """Folders that helpers may read from."""
        return (self.scratch, *self._offered(self.rules.upload_roots))

    @property
    def writable(self) -> tuple[Path, ...]:
        """Folders that helpers may write to."""
        downloads = (self.rules.downloads,) if self.rules.downloads is not None else ()
        return (self.scratch, *self._offered(self.rules.output_roots), *downloads)

    def settings(self) -> dict[str, list[str]]:
        """The settings under which a helper runs, so that its command checks them once more when it opens a file."""
        return {
            "upload_roots": [str(root) for root in self.readable],
            "output_roots": [str(root) for root in self.writable],
        }

    def check(self, command: Command, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a command with absolute paths; PolicyBlocked for a file that a script may not use."""
        whole = dict(arguments)
        for name in command.reads_files:
            if name in whole:
                whole[name] = self._each(whole[name], name, reads=True)
        for name in command.writes_files:
            if name in whole:
                whole[name] = self._each(whole[name], name, reads=False)
        return whole

    def _each(self, given: Any, name: str, *, reads: bool) -> Any:
        if isinstance(given, list | tuple):
            return [self._path(path, name, reads=reads) for path in given]
        return self._path(given, name, reads=reads)

    def _path(self, given: Any, name: str, *, reads: bool) -> str:
        if not isinstance(given, str) or not given or "\0" in given:
            raise BadRequest(f"{name} is not a path: {str(given)[:200]!r}", hint="pass the path of a file")
        path = Path(self.rules.folder, given)
        if reads and os.path.exists(self.scratch / given):  # noqa: PTH110 (False for a name that is too long)
            path = self.scratch / given
        roots = self.readable if reads else self.writable
        named = self.rules.upload_roots if reads else self.rules.output_roots
        real = Path(os.path.realpath(path))
        for root in (Path(os.path.realpath(root)) for root in roots):
            if real.is_relative_to(root):
                is_own = root == Path(os.path.realpath(self.scratch))
                if is_own or named is not None or not _is_private(real, root):
                    return str(real)
        setting, said = ("upload_roots", "read") if reads else ("output_roots", "write")
        others = "".join(f", {root}" for root in roots[1:])
        hidden = " (no hidden files)" if others and named is None else ""
        raise PolicyBlocked(
            f"scripts may not {said} {given[:300]!r}",
            hint=f"allowed: the scratch folder{others}{hidden}; the user can add folders with {setting}",
        )

    def _offered(self, named: tuple[Path, ...] | None) -> Iterable[Path]:
        if named is not None:
            return named
        home = Path(home_folder())
        # A folder that contains the home folder is only where the caller started, not what the caller works on.
        return [root for root in self.rules.usual if root == home or not home.is_relative_to(root)]


def _is_private(real: Path, root: Path) -> bool:
    """Whether it is hidden, or belongs to Boathook itself."""
    parts = real.relative_to(root).parts
    return any(part.startswith(".") for part in parts) or any(
        real.is_relative_to(own) for own in _own_folders(real)
    )


def _own_folders(real: Path) -> Iterator[Path]:
    for own in own_folders():
        yield Path(os.path.realpath(own))
    temporary = Path(os.path.realpath(tempfile.gettempdir()))
    if real != temporary and real.is_relative_to(temporary):
        first = real.relative_to(temporary).parts[0]
        if first.startswith((PREFIX, _OF_BROWSERS)):
            yield temporary / first

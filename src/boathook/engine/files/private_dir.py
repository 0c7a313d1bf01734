"""A private folder for one browser's files; it is removed with the browser, whatever ends that."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from pathlib import Path


class PrivateDirectory:
    """Created on first use: next to a temporary profile, otherwise among the machine's temporary files."""

    def __init__(self, given: Path | None = None) -> None:
        self._path = given
        self._made = False

    @property
    def path(self) -> Path:
        """The folder, readable only by its owner."""
        if self._path is None:
            self._path = Path(tempfile.mkdtemp(prefix="boathook-files-"))
            self._made = True
        if not self._made:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._made = True
        return self._path

    def fresh(self, kind: str) -> Path:
        """The path of a new folder inside, not created yet."""
        return self.path / kind / secrets.token_hex(8)

    def close(self) -> None:
        """Remove everything; may be called twice."""
        if self._path is not None and self._made:
            shutil.rmtree(self._path, ignore_errors=True)

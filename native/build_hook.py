"""Hatchling hooks: programs (the native client where it can be compiled, else Python), and a README without relative links."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

NAMES = ("boathook", "bh")
ENTRY_POINT = "boathook.surfaces.cli.main:run"
RELATIVE_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def _compiler() -> Any:
    """The module beside this file, which hatchling loads from its path."""
    name = "boathook_native_compiler"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("compiler.py"))
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def _program() -> Path | None:
    compiler = _compiler()
    return compiler.compile_client(os.environ.get(compiler.VARIABLE, ""))


class Metadata(MetadataHookInterface):
    """What pyproject.toml declares as dynamic, besides the version."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set entry points only without a native client: an installer would write them over it. Links work on an index too."""
        metadata["scripts"] = {} if _program() else dict.fromkeys(NAMES, ENTRY_POINT)
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        files = f"{metadata['urls']['Homepage']}/blob/main"
        text = RELATIVE_LINK.sub(rf"]({files}/\1)", readme)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class NativeClient(BuildHookInterface):
    """Adds the native client to the wheel, under both names, with the script that continues in Python."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the programs and the wheel's tag; nothing for other packages and for the Python client."""
        program = _program() if self.target_name == "wheel" else None
        if program is None:
            return
        compiler = _compiler()
        sources = dict.fromkeys(NAMES, program) | {compiler.SCRIPT.name: compiler.SCRIPT}
        for name, source in sources.items():
            place = program.with_name(name)
            if place != source:
                shutil.copyfile(source, place)
            place.chmod(0o755)  # installers keep the mode, and an unpacked archive may have lost it
            build_data["shared_scripts"][str(place)] = name
        build_data["pure_python"] = False
        if version != "editable":
            build_data["tag"] = self._tag(compiler)

    @staticmethod
    def _tag(compiler: Any) -> str:
        target = compiler.TARGETS.get(os.environ.get(compiler.VARIABLE, ""))
        here = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        return target.tag if target else f"py3-none-{here}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled."""
        del version, build_data, artifact_path
        if self.target_name == "wheel" and (program := _program()) is not None:
            shutil.rmtree(program.parent, ignore_errors=True)
            _compiler().compile_client.cache_clear()

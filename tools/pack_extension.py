"""Packs the extension for a web store: `make extension-zip`, or `python tools/pack_extension.py [--out FILE]`.

The same files give the same bytes. The pairing key is never part of it, and the manifest's `key` is left out: a store
assigns the id, and refuses a manifest that has one.
"""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from pathlib import Path

from boathook.relay.extension.install_extension import extension_files, extension_source

ROOT = Path(__file__).parent.parent
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o100644 << 16


def pack(source: Path, target: Path) -> int:
    """Write the archive; returns the number of files."""
    paths = list(extension_files(source))
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in paths:
            entry = zipfile.ZipInfo(path.as_posix(), _LONG_AGO)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, _READABLE, 3
            archive.writestr(entry, _content(source / path))
    return len(paths)


def _content(path: Path) -> bytes:
    if path.name != "manifest.json":
        return path.read_bytes()
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest.pop("key", None)
    return (json.dumps(manifest, indent=2) + "\n").encode()


def main() -> None:
    """Pack it, and print where it is."""
    parser = argparse.ArgumentParser()
    version = json.loads((extension_source() / "manifest.json").read_text(encoding="utf-8"))["version"]
    usual = ROOT / "dist" / f"boathook-extension-{version}.zip"
    parser.add_argument("--out", type=Path, default=usual)
    options = parser.parse_args()
    count = pack(extension_source(), options.out)
    sys.stdout.write(f"{count} files in {options.out}\n")


if __name__ == "__main__":
    main()

"""Additional certificate authorities for one browser: an NSS store in a separate home directory.

Chromium on Linux trusts its built-in root store and the NSS database in `$HOME/.pki/nssdb`; it reads neither
/etc/ssl nor SSL_CERT_FILE. The database is written with libnss3, a library that Chromium itself needs, in a
separate process, because NSS keeps global state.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from boathook.engine.launch.profiles import nss_store
from boathook.errors import BadSetting, Unsupported

if TYPE_CHECKING:
    from pathlib import Path

_IMPORT_SECONDS = 20.0


def trust_authorities(bundle: Path, *, home: Path) -> Path:
    """Write the authorities of a PEM bundle into the store below `home`; returns the HOME for the browser."""
    bundle = bundle.expanduser().absolute()
    if not bundle.is_file():
        raise BadSetting(f"the CA bundle {bundle} does not exist", path=str(bundle))
    if sys.platform != "linux":
        raise Unsupported(
            "additional certificate authorities are supported on Linux only",
            hint="add them to the trust store of the system",
        )
    store = home / ".pki/nssdb"
    if (
        store.exists()
    ):  # from an earlier launch on a persistent profile: its certificates are no longer trusted
        shutil.rmtree(store)
    store.mkdir(mode=0o700, parents=True)
    try:
        result = subprocess.run(  # noqa: S603 (our own module)
            [sys.executable, "-I", nss_store.__file__, str(store), str(bundle)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_IMPORT_SECONDS,
            check=False,
            text=True,
        )
    except subprocess.TimeoutExpired as error:
        raise Unsupported("writing the certificate store took too long", path=str(store)) from error
    if result.returncode == nss_store.NO_CERTIFICATES:
        raise BadSetting(f"the CA bundle {bundle} contains no readable certificate", path=str(bundle))
    if result.returncode != 0:
        said = result.stderr.strip().splitlines()
        raise Unsupported(
            f"the certificate store could not be written: {said[-1] if said else 'no reason given'}"
        )
    return home

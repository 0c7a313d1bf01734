"""`python -m boathook.engine.launch.install`: print which browser is used, installing one if there is none."""

from __future__ import annotations

import sys

from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.install import install_browser
from boathook.errors import BoathookError, BrowserNotFound


def main() -> int:
    """Write the executable's path to standard output, progress and errors to standard error."""
    try:
        try:
            found = find_browser()
        except BrowserNotFound as error:
            if "looked" not in error.evidence:  # an invalid path must be corrected by the user
                raise
            found = install_browser(progress=_say)
    except BoathookError as error:
        _say(str(error))
        return error.exit_status
    sys.stdout.write(f"{found.path}\n")
    return 0


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    raise SystemExit(main())

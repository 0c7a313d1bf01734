"""`python -m tests.daemon.client …`: the thin client, whose daemons serve the stand-in host."""

import os
import signal
import sys

from boathook._version import __version__
from boathook.client import blocking_client
from boathook.surfaces.cli.main import main

if __name__ == "__main__":
    # Tests that run in the background inherit deaf ears for Control-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # As if this program had been updated, and the daemon that runs had not.
    vars(blocking_client)["__version__"] = os.environ.get("STAND_IN_VERSION", __version__)
    host = os.environ.get("STAND_IN", "tests.daemon.fake_host:Host")
    idle = os.environ.get("STAND_IN_IDLE", "1800")
    os._exit(main(sys.argv[1:], daemon_arguments=["--host", host, "--idle-seconds", idle]))

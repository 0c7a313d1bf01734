"""`boathook-python` of tests: daemons that it starts serve the stand-in host."""

import functools
import os

from boathook.surfaces.cli import from_native, main

ARGUMENTS = ("--host", os.environ.get("STAND_IN", "tests.daemon.fake_host:Host"))


def run():
    main.main = functools.partial(main.main, daemon_arguments=ARGUMENTS)
    from_native.run()

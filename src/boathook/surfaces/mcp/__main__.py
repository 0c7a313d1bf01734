"""`python -m boathook.surfaces.mcp`: the same as `boathook mcp`."""

import sys

from boathook.surfaces.mcp.main import main

sys.exit(main(sys.argv[1:]))

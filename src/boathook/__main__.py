"""`python -m boathook` is `boathook`."""

from boathook.surfaces.cli.main import run

run()

"""Long tests of reliability, each a program: `python -m tools.stress.soak`."""

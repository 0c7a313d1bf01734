"""Signing in with a kept login: finding the fields, filling each where it may be filled, and saying what came of it."""

"""Signing in with a saved login: finding the fields, filling each where it is allowed, and reporting the result."""

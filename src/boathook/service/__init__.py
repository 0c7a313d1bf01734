"""Runs a command for somebody, safely: who may do it, where, and what is kept of it."""

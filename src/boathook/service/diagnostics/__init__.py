"""Diagnostics: what a result, a failure or the state around it means, with calls that help; one file per family."""

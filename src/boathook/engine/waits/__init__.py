"""Waiting for something that can be named; whoever gives up says what was seen last."""

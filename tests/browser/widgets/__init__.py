"""Widgets of public libraries, acted on by one call and checked in their own models."""

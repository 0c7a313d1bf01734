"""Secrets found in pages while a call runs."""

"""Emulation of devices, locale, network and browser fingerprint."""

"""Cookies, storage, saved states, cookies from other tools."""

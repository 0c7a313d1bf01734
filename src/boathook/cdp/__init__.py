"""Bytes to and from a browser's DevTools protocol; nothing here knows what a page is."""

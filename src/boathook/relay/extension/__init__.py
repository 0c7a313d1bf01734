"""The connection to the extension, and the Chrome profile behind it."""

"""The oracle: the walker compared with Chromium's own accessibility tree."""

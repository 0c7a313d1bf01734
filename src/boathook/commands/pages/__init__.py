"""Commands that open, observe, read and wait for pages."""

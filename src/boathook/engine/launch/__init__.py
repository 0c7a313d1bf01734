"""Finding, installing and starting a browser."""

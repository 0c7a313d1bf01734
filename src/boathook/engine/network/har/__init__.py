"""HAR recordings."""

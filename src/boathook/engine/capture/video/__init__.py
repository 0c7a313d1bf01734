"""Video recordings."""

"""Profile directories and the certificates in them."""

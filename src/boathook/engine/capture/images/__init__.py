"""Screenshots and what is made of them."""

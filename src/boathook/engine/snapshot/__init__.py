"""The page as text: walked in the page, joined over its frames, with stable refs."""

"""Actions on a page: each checks its element, sends real input events, and verifies the result."""

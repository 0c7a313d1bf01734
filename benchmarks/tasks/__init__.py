"""Small tasks on pages with widgets, solved by one solver through several tools."""

"""Commands for debugging pages: performance, console, frameworks, captures."""

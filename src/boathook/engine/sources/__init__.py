"""From what a page shows to the file and line in the working directory that it comes from."""

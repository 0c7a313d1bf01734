"""Files that come with the package: the catalogue, and what agents are told."""

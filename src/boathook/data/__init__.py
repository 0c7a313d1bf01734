"""Files of the package: the command catalogue, tool definitions and the guide for agents."""

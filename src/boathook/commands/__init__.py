"""What an agent may ask for: every command is one function, listed in the registry."""

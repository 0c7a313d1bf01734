"""The registry of commands: facts, parameters, tool sets, tool schemas."""

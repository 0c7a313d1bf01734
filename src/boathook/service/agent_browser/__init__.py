"""The agent-browser mode: command lines and answers of that program, for agents that know only it."""

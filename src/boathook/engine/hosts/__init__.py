"""Host policy, host name parsing, URL parsing."""

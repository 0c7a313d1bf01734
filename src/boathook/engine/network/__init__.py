"""The network traffic of a tab."""

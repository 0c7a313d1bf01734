"""Commands about sessions, scripts and the installation."""

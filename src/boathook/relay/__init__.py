"""The relay: any program that speaks CDP, on the user's own Chrome, through our extension."""

"""What a tab asks servers for."""

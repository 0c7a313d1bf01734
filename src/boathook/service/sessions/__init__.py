"""Sessions and the browsers they use."""

"""What differs between two looks at pages."""

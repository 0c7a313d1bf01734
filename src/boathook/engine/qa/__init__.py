"""Checks of pages as tests do them: expected text and elements, errors, failed requests; with reports for people and CI."""

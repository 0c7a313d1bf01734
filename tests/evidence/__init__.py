"""Results as evidence: categories, next actions, diagnostics, artifacts."""

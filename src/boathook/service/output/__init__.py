"""From a result to the answer a caller receives: redacted, bounded, rendered."""

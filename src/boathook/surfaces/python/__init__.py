"""The Python door: async first, sync by a mechanical wrapper."""

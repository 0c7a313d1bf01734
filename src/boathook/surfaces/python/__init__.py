"""The Python API: async first, sync by a generated wrapper."""

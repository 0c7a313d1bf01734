"""Screenshots, videos, PDF, traces, profiles and heap snapshots."""

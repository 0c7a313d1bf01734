"""What is kept on disk about calls: journal, artifacts, quotas."""

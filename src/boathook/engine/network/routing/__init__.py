"""Routes: requests that are blocked, answered or changed."""

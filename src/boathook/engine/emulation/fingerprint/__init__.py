"""What pages can tell about a browser that we started: coherent in every place that they can look from."""

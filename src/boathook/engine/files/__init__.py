"""Downloads, uploads, safe file names, private directories."""

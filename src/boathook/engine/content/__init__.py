"""The readable content of pages, PDFs and Markdown sources."""

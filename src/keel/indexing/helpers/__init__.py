"""Questions to helpers such as ty, and merging their answers into keel's own links."""

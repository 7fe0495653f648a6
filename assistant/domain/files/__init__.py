"""Files: paths, versions, origins, and the blobs that hold their bytes."""

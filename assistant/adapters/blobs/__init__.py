"""Stores for blobs: a directory, or an S3 bucket."""

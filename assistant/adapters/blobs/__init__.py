"""Bytes in a folder or a bucket."""

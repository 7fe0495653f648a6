"""Moments, zones, and times that a person typed."""

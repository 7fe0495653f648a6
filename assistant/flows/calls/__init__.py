"""Calls are judged, placed, run and undone."""

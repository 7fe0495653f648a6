"""Celery: how work finds a worker."""

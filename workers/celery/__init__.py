"""Celery: carries doorbells to workers."""

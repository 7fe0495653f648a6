"""The command line: ``assistant``."""

from workers.cli.app import app, main

__all__ = ["app", "main"]

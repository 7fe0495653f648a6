"""The processes: settings, wiring, Celery, doors, the terminal and the command line."""

"""The queue: jobs as rows of the database."""

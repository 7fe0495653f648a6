"""The store on SQLite and Postgres: SQLModel tables, SQLAlchemy Core statements."""

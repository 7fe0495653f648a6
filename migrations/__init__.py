"""How the schema came to be: one Alembic history for SQLite and Postgres."""

"""Back up an installation while it runs, restore one, and keep the database before an upgrade."""

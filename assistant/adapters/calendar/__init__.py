"""A calendar over CalDAV."""

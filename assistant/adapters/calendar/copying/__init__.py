"""What a copy of a CalDAV calendar is made of: changed objects, stripped of all but their times."""

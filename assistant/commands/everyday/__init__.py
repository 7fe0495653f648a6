"""Commands of every day: talking, mail, files, the calendar, what there is."""

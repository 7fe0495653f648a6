"""The process in which series of the calendar are expanded, as it may be killed."""

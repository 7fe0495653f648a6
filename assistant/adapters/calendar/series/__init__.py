"""Series of events: expand them, change some or all of their occurrences.

Pure functions over the bytes of one iCalendar object. Such an object may come from a stranger: run
them where the process may be killed. All raise ``BadSeries`` (``TooFrequent``, ``FloatingTime``)
for what cannot be read.
"""

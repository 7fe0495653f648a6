"""The calendar's tools. Only title, time and all-day are ever read or written."""

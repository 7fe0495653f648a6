"""From the bytes of a mail to its parts, its header fields and its text. Pure, and never raises."""

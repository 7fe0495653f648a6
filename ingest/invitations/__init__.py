"""From the calendar objects of a mail to invitations. Pure, and never raises."""

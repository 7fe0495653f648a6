"""A database as it is after years of use, and what each statement costs there."""

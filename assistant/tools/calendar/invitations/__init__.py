"""What an invitation in a mail asks for, as a call that waits for a yes."""

"""What a person is shown, made from rows."""

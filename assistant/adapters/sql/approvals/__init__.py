"""What calls wait for, and the tokens of the buttons that answer them."""

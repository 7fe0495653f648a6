"""Where settings stand, and what is wrong with them, said in a line each."""

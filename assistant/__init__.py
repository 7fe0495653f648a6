"""What the assistant is: values and rules, the tools it has, and what happens when."""

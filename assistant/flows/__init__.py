"""What happens: one function a message, its dependencies by keyword."""

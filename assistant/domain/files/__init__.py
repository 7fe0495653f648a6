"""What paths hold."""

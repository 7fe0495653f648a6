"""What is known of invitations."""

"""The ways mail comes in. Each says "accepted" only when the raw message is durable."""

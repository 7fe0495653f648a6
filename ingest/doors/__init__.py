"""The doors by which mail comes in. A door accepts a mail only once its raw bytes are durable."""

"""Connect the assistant to the owner's calendar, show which is connected, and end it."""

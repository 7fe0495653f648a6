"""Tell who wrote what in one mail: own words, forwarded messages, quoted earlier messages."""

"""Tables with people around them: seats, live updates, an HTTP API; serves the built page."""

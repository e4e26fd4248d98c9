"""What goes wrong with engines."""


class EngineError(Exception):
    """An engine cannot be used as it is asked for: one line that says what to do."""


class EngineGoneError(Exception):
    """An engine went away while it was in use: one line that says how. What is stored stays."""

"""Type-checks Swift modules for Apple systems, on Linux."""


class CheckFailed(Exception):
    """The check cannot continue, or it found errors. The message says what happened and what to do."""

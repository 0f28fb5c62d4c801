"""Errors that name the party at fault."""

__all__ = ["LocalProtocolError", "ProtocolError", "RemoteProtocolError", "one_line"]

MAX_TEXT = 300


def one_line(text: str, limit: int = MAX_TEXT) -> str:
    """The text clipped to `limit` characters, with everything unprintable escaped: safe for a terminal."""
    clipped = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in clipped)


class ProtocolError(Exception):
    """The rules of PROTOCOL.md are broken; the message is one line, fit for a terminal."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class RemoteProtocolError(ProtocolError):
    """The peer broke the rules.

    game: the one that the fault is in, while others can go on; None where the connection itself is broken.
    """

    def __init__(self, message: str, game: int | None = None) -> None:
        super().__init__(message)
        self.game = game

    @property
    def is_fatal(self) -> bool:
        return self.game is None


class LocalProtocolError(ProtocolError):
    """We would have broken the rules: a bug on this side."""

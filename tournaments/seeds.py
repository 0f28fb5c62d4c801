"""Everything random in a tournament, from the spec's seed.

HMAC-SHA256 under a key made of the seed; the message begins with what the number is for. So every deal can
be made alone, in any order, and no number tells anything about another: what a bot is given says nothing
about its deal.
"""

import hashlib
import hmac
from random import Random

__all__ = ["bot_seed", "deal_rng", "referee_rng"]


def deal_rng(seed: str, deal_number: int) -> Random:
    """For the cards of a deal: the same for every line-up and seating."""
    return Random(_number(seed, "deal", str(deal_number)))


def referee_rng(seed: str, luck: str) -> Random:
    """For the moves that the referee makes in a forfeited seat's place."""
    return Random(_number(seed, "referee", luck))


def bot_seed(seed: str, luck: str, seat: int) -> int:
    """What a bot gets for its own randomness in one game, 0 to 2**53 - 1."""
    return _number(seed, "bot", f"{seat}/{luck}") % 2**53


def _number(seed: str, purpose: str, of: str) -> int:
    """A 256-bit number. The key is hashed first, as HMAC cannot tell short keys from zero-padded ones."""
    key = hashlib.sha256(seed.encode()).digest()
    return int.from_bytes(hmac.digest(key, f"{purpose}/{of}".encode(), "sha256"), "big")

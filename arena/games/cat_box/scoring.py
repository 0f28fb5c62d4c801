"""Points and the standing of the seats (CATBOX 8)."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.games.cat_box.area import Area
from arena.games.cat_box.face import BOX, ROW
from protocol.cat_box import CATS, IDENTITIES, Identity

__all__ = ["SeatScore", "group_sizes", "ranks", "score_identity"]

TRIO = 3
POINTS_FOR_TRIO = 2


class SeatScore(NamedTuple):
    """visible: the identity's quadrants seen.  bonus: its largest group, or the chihuahua's points for trios.

    tokens: unused ones.
    """

    identity: Identity
    visible: int
    bonus: int
    tokens: int

    @property
    def points(self) -> int:
        return self.visible + self.bonus + self.tokens


def group_sizes(layer: int) -> list[int]:
    """Sizes of the orthogonally connected groups of cells. Rule: CATBOX 8.3."""
    alone = layer & ~(layer << 1 | layer >> 1 | layer << ROW | layer >> ROW)
    sizes = [1] * alone.bit_count()
    layer ^= alone
    while layer:
        # The group of the lowest cell. Bits below it are cut off: every step costs as much as the number is long.
        layer >>= (layer & -layer).bit_length() - 1
        group, grown = 0, 1
        while group != grown:
            group = grown
            grown |= (group << 1 | group >> 1 | group << ROW | group >> ROW) & layer
        layer ^= group
        sizes.append(group.bit_count())
    return sizes


def score_identity(area: Area, identity: Identity) -> tuple[int, int]:
    """Points for what is visible, and the bonus. Rule: CATBOX 8.1 to 8.4."""
    layer = area.layers[IDENTITIES.index(identity)]
    if identity != "chihuahua":
        return layer.bit_count(), max(group_sizes(layer), default=0)
    trios = sum(group_sizes(area.layers[cat]).count(TRIO) for cat in range(len(CATS)))
    return layer.bit_count(), POINTS_FOR_TRIO * trios


def ranks(scores: Sequence[SeatScore]) -> list[int]:
    """Standing by points; then the chihuahua, then the larger group; equal seats share a rank. Rule: CATBOX 8.6."""
    standing = [(seat.points, seat.identity == IDENTITIES[BOX], seat.bonus) for seat in scores]
    return [1 + sum(other > own for other in standing) for own in standing]

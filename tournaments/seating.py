"""Who sits where: the sets of seatings under which one deal is played.

A seating maps players to seats: seating[player] = seat.
"""

from collections.abc import Callable, Mapping

__all__ = ["MAX_SEATS", "MIN_SEATS", "SEATINGS", "Seating", "balanced", "rotations"]

Seating = tuple[int, ...]

MIN_SEATS = 2
MAX_SEATS = 5

# GF(4) as polynomials over GF(2) modulo x² + x + 1, an element's bits its coefficients; addition is xor.
_GF4_PRODUCT = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))


def rotations(seats: int) -> list[Seating]:
    """Every bot once in every seat: n games, the same neighbours in all of them."""
    _check(seats)
    return [tuple((player + shift) % seats for player in range(seats)) for shift in range(seats)]


def balanced(seats: int) -> list[Seating]:
    """Every ordered pair of bots once in every ordered pair of seats: n(n-1) games.

    The maps a·x + b over the field with n elements, a ≠ 0: they are sharply 2-transitive, as two points and
    their images fix a and b. All n! seatings would tell no more about pairs. Ordered by a, then b.
    """
    _check(seats)
    return [
        tuple(_affine(seats, slope, player, shift) for player in range(seats))
        for slope in range(1, seats)
        for shift in range(seats)
    ]


def _affine(order: int, slope: int, x: int, shift: int) -> int:
    """slope·x + shift in the field of 2, 3, 4 or 5 elements."""
    if order == 4:
        return _GF4_PRODUCT[slope][x] ^ shift
    return (slope * x + shift) % order


def _check(seats: int) -> None:
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"seatings are known for {MIN_SEATS} to {MAX_SEATS} seats, not {seats}")


SEATINGS: Mapping[str, Callable[[int], list[Seating]]] = {"balanced": balanced, "rotations": rotations}
"""Every design by its word in a spec."""

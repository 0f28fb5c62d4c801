"""A slow, plain second writing of RULES.md, which shares no code with the rules under test.

Everything is a list, a dict or a tuple. Moves are ("place", owner, card, x, y), ("stacking", owner, card, x, y),
("cat_box", x, y), ("dried_fish", owner, card), ("cat_paw",), ("toy_mouse", card, x, y) and ("end_turn",).
"""

import copy
from typing import Any

Move = tuple[Any, ...]
Cell = tuple[int, int]

CATS = ["black", "pink", "purple", "blue", "yellow"]
TOKENS = ["cat_paw", "cat_box", "dried_fish", "stacking", "toy_mouse"]
HAND = {2: 2, 3: 2, 4: 1, 5: 1}


def cells_of(x: int, y: int) -> list[Cell]:
    return [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]


class Reference:
    """One game. deal: as in a record, plain dicts and lists."""

    def __init__(self, seats: int, advanced: bool, deal: dict[str, Any]) -> None:
        self.seats = seats
        self.identities = deal["identities"]
        self.faces = [(card["public"], card["secret"]) for card in deal["pile"]]
        self.pile = list(range(len(self.faces)))
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.fish: dict[int, int] = {}
        self.tokens = [set(TOKENS if advanced else []) for _ in range(seats)]
        self.shields: dict[int, Cell] = {}
        self.stack: list[tuple[int, int, int, list[str | None]]] = []
        self.active = deal["first_player"]
        self.asked = "turn"
        self.used = False
        self.draw_up()
        start = self.pile.pop(0)
        self.stack.append((start, 0, 0, self.faces[start][0]))

    def copy(self) -> "Reference":
        return copy.deepcopy(self)

    def draw_up(self) -> None:
        for seat in [*range(self.active, self.seats), *range(self.active)]:
            while self.pile and len(self.hands[seat]) < HAND[self.seats]:
                self.hands[seat].append(self.pile.pop(0))

    def seen(self, without: int | None = None) -> dict[Cell, tuple[int, str | None]]:
        """By cell, the card on top and what it shows there."""
        found: dict[Cell, tuple[int, str | None]] = {}
        for card, x, y, face in self.stack:
            if card != without:
                for cell, shown in zip(cells_of(x, y), face, strict=True):
                    found[cell] = (card, shown)
        return found

    def guarded(self, cell: Cell, seat: int) -> bool:
        """Whether another seat's cat box is on the cell or beside it."""
        return any(
            max(abs(cell[0] - x), abs(cell[1] - y)) <= 1
            for owner, (x, y) in self.shields.items()
            if owner != seat
        )

    def fitting(self, face: list[str | None], stacking: bool, without: int | None = None) -> list[Cell]:
        """Where the active seat may lay this face, row by row."""
        return self.fitting_for(self.active, face, stacking, without)

    def fitting_for(
        self, seat: int, face: list[str | None], stacking: bool, without: int | None = None
    ) -> list[Cell]:
        seen = self.seen(without)
        found = []
        for x, y in sorted({(x - dx, y - dy) for x, y in seen for dx in (0, 1) for dy in (0, 1)}):
            covered = [cell for cell in cells_of(x, y) if cell in seen]
            cats = [cell for cell in covered if seen[cell][1] is not None]
            allowed = len(cats) <= 3 if stacking else len(covered) <= (2 if None in face else 1)
            if allowed and not any(self.guarded(cell, seat) for cell in covered):
                found.append((x, y))
        return sorted(found, key=lambda cell: (cell[1], cell[0]))

    def playable(self, seat: int) -> list[tuple[int, int, list[str | None]]]:
        found = []
        for owner in range(self.seats):
            found += [(owner, card, self.faces[card][owner == seat]) for card in self.hands[owner]]
        if seat in self.fish:
            found.append((seat, self.fish[seat], self.faces[self.fish[seat]][1]))
        return sorted(found, key=lambda entry: entry[:2])

    def placements(self, seat: int, kind: str) -> list[Move]:
        return [
            (kind, owner, card, x, y)
            for owner, card, face in self.playable(seat)
            for x, y in self.fitting_for(seat, face, kind == "stacking")
        ]

    def unused(self) -> set[str]:
        return set() if self.used else self.tokens[self.active]

    def cat_boxes(self) -> list[Move]:
        cells = sorted(self.seen(), key=lambda cell: (cell[1], cell[0]))
        return [("cat_box", x, y) for x, y in cells] if "cat_box" in self.unused() else []

    def dried_fish(self) -> list[Move]:
        if "dried_fish" not in self.unused():
            return []
        return [("dried_fish", owner, card) for owner in range(self.seats) for card in self.hands[owner]]

    def toy_mice(self) -> list[Move]:
        if "toy_mouse" not in self.unused():
            return []
        seen = self.seen()
        found: list[Move] = []
        for card, x, y, face in sorted(self.stack):
            cells = cells_of(x, y)
            if all(seen[cell][0] == card for cell in cells) and not set(cells) & set(self.shields.values()):
                found += [
                    ("toy_mouse", card, *spot)
                    for spot in self.fitting(face, False, without=card)
                    if spot != (x, y)
                ]
        return found

    def legal(self) -> list[Move]:
        if self.asked == "over":
            return []
        if self.asked == "place":
            return self.placements(self.active, "place")
        if self.asked == "turn":
            stacking = self.placements(self.active, "stacking") if "stacking" in self.unused() else []
            return self.placements(self.active, "place") + stacking + self.cat_boxes() + self.dried_fish()
        can_paw = "cat_paw" in self.unused() and self.placements(self.active, "place")
        paw: list[Move] = [("cat_paw",)] if can_paw else []
        return [*self.cat_boxes(), *self.dried_fish(), *paw, *self.toy_mice(), ("end_turn",)]

    def use(self, token: str) -> None:
        self.tokens[self.active].remove(token)
        self.used = True

    def apply(self, move: Move) -> None:
        kind = move[0]
        if kind in TOKENS:
            self.use(kind)
        if kind in ("place", "stacking"):
            self.place(*move[1:])
        elif kind == "cat_box":
            self.shields[self.active] = move[1:]
            self.go_on_or_end()
        elif kind == "dried_fish":
            self.hands[move[1]].remove(move[2])
            self.fish[self.active] = move[2]
            self.go_on_or_end()
        elif kind == "cat_paw":
            self.asked = "place"
        elif kind == "toy_mouse":
            (moved,) = [entry for entry in self.stack if entry[0] == move[1]]
            self.stack.remove(moved)
            self.stack.append((moved[0], move[2], move[3], moved[3]))
            self.end_turn()
        else:
            self.end_turn()

    def place(self, owner: int, card: int, x: int, y: int) -> None:
        if self.fish.get(self.active) == card:
            del self.fish[self.active]
        else:
            self.hands[owner].remove(card)
        self.stack.append((card, x, y, self.faces[card][owner == self.active]))
        if self.shields.get(self.active) in cells_of(x, y):
            del self.shields[self.active]
        self.asked = "token"
        if self.used or self.legal() == [("end_turn",)]:
            self.end_turn()

    def go_on_or_end(self) -> None:
        if self.asked == "turn" and self.placements(self.active, "place"):
            self.asked = "place"
        else:
            self.end_turn()

    def end_turn(self) -> None:
        self.draw_up()
        self.used = False
        self.asked = "turn"
        for _ in range(self.seats):
            self.active = (self.active + 1) % self.seats
            self.shields.pop(self.active, None)
            kinds = ["place", "stacking"] if "stacking" in self.tokens[self.active] else ["place"]
            if any(self.placements(self.active, kind) for kind in kinds):
                return
        self.asked = "over"

    def groups(self, shown: str | None) -> list[int]:
        left = {cell for cell, (_, what) in self.seen().items() if what == shown}
        sizes = []
        while left:
            group = [left.pop()]
            for x, y in group:
                for neighbour in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]:
                    if neighbour in left:
                        left.remove(neighbour)
                        group.append(neighbour)
            sizes.append(len(group))
        return sizes

    def details(self) -> list[dict[str, Any]]:
        found = []
        for identity, tokens in zip(self.identities, self.tokens, strict=True):
            if identity == "chihuahua":
                visible = sum(self.groups(None))
                bonus = 2 * sum(self.groups(cat).count(3) for cat in CATS)
            else:
                visible = sum(self.groups(identity))
                bonus = max(self.groups(identity), default=0)
            entry = {"identity": identity, "visible": visible, "bonus": bonus, "tokens": len(tokens)}
            found.append(entry)
        return found

    def scores(self) -> list[int]:
        return [entry["visible"] + entry["bonus"] + entry["tokens"] for entry in self.details()]

    def ranks(self) -> list[int]:
        keys = [
            (score, entry["identity"] == "chihuahua", entry["bonus"])
            for score, entry in zip(self.scores(), self.details(), strict=True)
        ]
        return [1 + len([other for other in keys if other > key]) for key in keys]

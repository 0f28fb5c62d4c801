"""A slow, plain second writing of RULES.md, which shares no code with the rules under test.

Everything is a list, a dict or a tuple. Moves are ("discard", card), ("bid", tricks) and
("play", card, color).
"""

import copy
from typing import Any

Move = tuple[Any, ...]

COLORS = ["red", "blue", "yellow", "green"]
BIDS: dict[int, list[int]] = {2: [], 3: [1, 3, 4], 4: [1, 2, 3], 5: [1, 2, 3]}
TRICKS = {2: 8, 3: 8, 4: 8, 5: 7}


class Reference:
    """One game. deal: as in a record, plain dicts and lists.  layout: four rows, 0 a hole."""

    def __init__(self, seats: int, layout: list[list[int]], deal: dict[str, Any]) -> None:
        self.seats = seats
        self.layout = layout
        self.deal = deal
        self.rounds: list[dict[str, Any]] = []
        self.begin_round(deal["first_player"])

    def begin_round(self, start: int) -> None:
        dealt = self.deal["rounds"][len(self.rounds)]
        self.start = start
        self.hands = [list(hand) for hand in dealt["hands"]]
        self.discards: dict[int, int] = {}
        self.bids: dict[int, int] = {}
        self.lost: list[set[str]] = [set() for _ in range(self.seats)]
        self.won = [0] * self.seats
        self.trick: list[tuple[int, int, str]] = []
        self.tricks: list[tuple[list[tuple[int, int, str]], int]] = []
        self.leader = start
        self.cells: dict[tuple[str, int], int | str | None] = {
            (color, number): None
            for color, row in zip(COLORS, self.layout, strict=True)
            for number in row
            if number
        }
        for card in dealt.get("revealed", []):
            for color in ["green", "yellow", "blue"]:
                if self.cells[color, card] is None:
                    self.cells[color, card] = "blocked"
                    break

    def copy(self) -> "Reference":
        other = object.__new__(Reference)
        other.__dict__.update(copy.deepcopy({k: v for k, v in self.__dict__.items() if k != "deal"}))
        other.deal = self.deal
        return other

    def over(self) -> bool:
        return len(self.rounds) == self.seats

    def to_move(self) -> list[int]:
        if self.over():
            return []
        waiting = [seat for seat in range(self.seats) if seat not in self.discards]
        if waiting:
            return waiting
        if BIDS[self.seats] and len(self.bids) < self.seats:
            return [(self.start + len(self.bids)) % self.seats]
        return [(self.leader + len(self.trick)) % self.seats]

    def legal(self, seat: int) -> list[Move]:
        if seat not in self.discards:
            return [("discard", card) for card in sorted(set(self.hands[seat]))]
        if BIDS[self.seats] and len(self.bids) < self.seats:
            return [("bid", tricks) for tricks in BIDS[self.seats]]
        return self.plays(seat)

    def plays(self, seat: int) -> list[Move]:
        found = [
            ("play", card, color)
            for color in COLORS
            for card in sorted(set(self.hands[seat]))
            if self.cells[color, card] is None and color not in self.lost[seat]
        ]
        red_broken = any(owner is not None for (color, _), owner in self.cells.items() if color == "red")
        if not self.trick and not red_broken:
            others = [play for play in found if play[2] != "red"]
            if others:
                return others
        return found

    def apply(self, seat: int, move: Move) -> None:
        if move[0] == "discard":
            self.hands[seat].remove(move[1])
            self.discards[seat] = move[1]
            if len(self.discards) == self.seats and not BIDS[self.seats]:
                self.look_for_paradox()
        elif move[0] == "bid":
            self.bids[seat] = move[1]
            if len(self.bids) == self.seats:
                self.look_for_paradox()
        else:
            self.play(seat, move[1], move[2])

    def play(self, seat: int, card: int, color: str) -> None:
        self.hands[seat].remove(card)
        self.cells[color, card] = seat
        if self.trick and color != self.trick[0][2]:
            self.lost[seat].add(self.trick[0][2])
        self.trick.append((seat, card, color))
        if len(self.trick) == self.seats:
            led = self.trick[0][2]
            reds = [(c, s) for s, c, declared in self.trick if declared == "red"]
            followers = [(c, s) for s, c, declared in self.trick if declared == led]
            _, winner = max(reds or followers)
            self.won[winner] += 1
            self.tricks.append((self.trick, winner))
            self.trick = []
            self.leader = winner
            if len(self.tricks) == TRICKS[self.seats]:
                self.score(None)
                return
        self.look_for_paradox()

    def look_for_paradox(self) -> None:
        (seat,) = self.to_move()
        if not self.plays(seat):
            self.score(seat)

    def score(self, paradox: int | None) -> None:
        scores, bonuses = [], []
        for seat in range(self.seats):
            met = self.won[seat] == self.bids[seat] if self.bids else self.won[seat] <= 4
            bonus = self.largest_group(seat) if met and seat != paradox else 0
            bonuses.append(bonus)
            scores.append(-self.won[seat] if seat == paradox else self.won[seat] + bonus)
        details = {"scores": scores, "tricks": self.won, "bonus": bonuses, "paradox": paradox}
        if self.bids:
            details["bids"] = [self.bids[seat] for seat in range(self.seats)]
        self.rounds.append(details)
        self.filled = sum(isinstance(owner, int) for owner in self.cells.values())
        if not self.over():
            self.begin_round((self.start + 1) % self.seats)

    def largest_group(self, seat: int) -> int:
        places = {
            (x, y)
            for y, row in enumerate(self.layout)
            for x, number in enumerate(row)
            if number and self.cells[COLORS[y], number] == seat
        }
        largest = 0
        while places:
            group = [places.pop()]
            for x, y in group:
                for neighbour in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]:
                    if neighbour in places:
                        places.remove(neighbour)
                        group.append(neighbour)
            largest = max(largest, len(group))
        return largest

    def totals(self) -> list[int]:
        return [sum(scored["scores"][seat] for scored in self.rounds) for seat in range(self.seats)]

    def ranks(self) -> list[int]:
        keys = [(total, self.rounds[-1]["scores"][seat]) for seat, total in enumerate(self.totals())]
        return [1 + len([other for other in keys if other > key]) for key in keys]

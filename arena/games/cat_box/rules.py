"""The rules of Cat Box (RULES.md), as the arena plays them.

`apply` draws hands up, ends turns, takes shields off and passes over seats by itself, so a state always waits for a
choice or the game is over. The basic game is the advanced one without tokens.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from arena.games.base import Game, OptionError
from arena.games.cat_box import moves, observation, scoring
from arena.games.cat_box.area import Area
from arena.games.cat_box.deal import Deal, check_deal, deal_game
from arena.games.cat_box.deck import STANDARD, resolve_deck
from arena.games.cat_box.face import ORIGIN, STEPS
from arena.games.cat_box.legal import TOKEN, can_use_token, has_placement, legal_moves
from arena.games.cat_box.moves import STACKING, card_of, cell_of, kind_of, owner_of
from arena.games.cat_box.scoring import SeatScore
from arena.games.cat_box.state import State, cards_of
from arena.games.cat_box.table import TABLES
from protocol.cat_box import TOKENS, Made, Observation, Side
from protocol.messages import Move

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["CatBox"]

ALL_TOKENS = (1 << len(TOKENS)) - 1
RULES = ("basic", "advanced")


class CatBox(Game[Deal, State]):
    """Cat Box for 2 to 5 players.

    Options: `rules` is `basic` or `advanced`; `deck` is `standard`, the path of a deck file, or a deck as a mapping
    (CATBOX 2).
    """

    name: ClassVar[str] = "cat_box"
    rules_version: ClassVar[int] = 1
    option_values: ClassVar[Mapping[str, str]] = {
        "rules": "basic or advanced",
        "deck": "standard or a deck file",
    }
    seat_counts: ClassVar[Sequence[int]] = tuple(TABLES)
    deal_type = Deal

    def __init__(self, seats: int, options: Mapping[str, object], folder: Path | None = Path()) -> None:
        if seats not in TABLES:
            raise OptionError("seats", f"{self.name} is for 2 to 5 players, not {seats}")
        for option in options:
            if option not in ("rules", "deck"):
                raise OptionError(option, f"unknown option, the options of {self.name} are: rules, deck")
        rules = options.get("rules", "basic")
        if rules not in RULES:
            raise OptionError("rules", f"expected {' or '.join(RULES)}, got {rules!r}")
        self.seats = seats
        self.table = TABLES[seats]
        self.deck, deck = resolve_deck(options.get("deck", STANDARD), folder)
        self.options: dict[str, Any] = {"rules": rules, "deck": deck}
        self.is_advanced = rules == "advanced"
        self.removed = 0 if self.is_advanced else self.table.removed
        self._alone = tuple((seat,) for seat in range(seats))
        self._makers = {
            moves.PLACE: self._place,
            moves.STACKING: self._place,
            moves.CAT_BOX: self._cat_box,
            moves.DRIED_FISH: self._dried_fish,
            moves.CAT_PAW: self._cat_paw,
            moves.TOY_MOUSE: self._toy_mouse,
            moves.END_TURN: self._end_turn,
        }

    def deal(self, rng: Random) -> Deal:
        return deal_game(self.deck, self.table, self.removed, self.seats, rng)

    def check_deal(self, deal: Deal) -> None:
        check_deal(self.deck, self.table, self.removed, self.seats, deal)

    def start(self, deal: Deal) -> State:
        state = State.__new__(State)
        seats = range(self.seats)
        state.cards = cards_of(deal)
        state.identities = deal.identities
        state.start_seat = state.active = deal.first_player
        state.decision = "turn"
        state.token_used = False
        state.drawn = 0
        state.known = [[state.cards[0].half] for _ in seats]
        state.hands = [[] for _ in seats]
        state.fish = [None] * self.seats
        state.shields = [None] * self.seats
        state.tokens = [ALL_TOKENS if self.is_advanced else 0] * self.seats
        state.area = Area()
        state.history = []
        self._draw_up(state)
        state.area.place(state.drawn, state.cards[state.drawn].public, "public", ORIGIN)
        self._leave_pile(state)
        return state

    def copy(self, state: State) -> State:
        return state.copy()

    def to_move(self, state: State) -> Sequence[int]:
        return () if state.decision == "over" else self._alone[state.active]

    def legal_moves(self, state: State, seat: int) -> Sequence[int]:  # noqa: ARG002 - one seat decides
        return legal_moves(state)

    def apply(self, state: State, seat: int, move: int) -> None:
        state.history.append(Made(seat, moves.encode_move(move)))
        kind = kind_of(move)
        if kind in TOKEN:
            state.tokens[seat] &= ~TOKEN[kind]
            state.token_used = True
        self._makers[kind](state, move)

    def observe(self, state: State, seat: int) -> Observation:
        return observation.observe(state, seat)

    def determinize(self, observation_: Observation, rng: Random) -> State:
        while True:
            state = self.start(
                observation.imagine_deal(self.deck, self.table, self.removed, observation_, rng)
            )
            if self._follow(state, observation_.history) and (
                self.observe(state, observation_.seat) == observation_
            ):
                return state

    def scores(self, state: State) -> list[int]:
        return [seat.points for seat in self._seat_scores(state)]

    def ranks(self, state: State) -> list[int]:
        return scoring.ranks(self._seat_scores(state))

    def details(self, state: State) -> dict[str, Any]:
        return {"seats": [seat._asdict() for seat in self._seat_scores(state)]}

    def encode_move(self, move: int) -> Move:
        return moves.encode_move(move)

    def decode_move(self, move: Move) -> int:
        return moves.decode_move(move)

    def describe(self, move: int) -> str:
        return moves.describe(move)

    def draw(self, observations: Sequence[Observation]) -> "RenderableType":
        from arena.games.cat_box.drawing import draw

        return draw(observations)

    def _seat_scores(self, state: State) -> list[SeatScore]:
        return [
            SeatScore(identity, *scoring.score_identity(state.area, identity), unused.bit_count())
            for identity, unused in zip(state.identities, state.tokens, strict=True)
        ]

    def _follow(self, state: State, history: Sequence[Made]) -> bool:
        """Make these moves; False as soon as another seat than the recorded one is to move."""
        for made in history:
            if state.active != made.seat or state.decision == "over":
                return False
            self.apply(state, made.seat, moves.decode_move(made.move))
        return True

    def _place(self, state: State, move: int) -> None:
        """Rule: CATBOX 5, 7.1, 7.4."""
        seat, owner, card = state.active, owner_of(move), card_of(move)
        if card == state.fish[seat]:
            state.fish[seat] = None
        else:
            state.hands[owner].remove(card)
        side: Side = "secret" if owner == seat else "public"
        if side == "secret":
            for known in state.known:
                known[card] = state.cards[card].whole
        state.area.place(card, state.cards[card].face(side), side, cell_of(move))
        shield = state.shields[seat]
        if shield is not None and shield - cell_of(move) in STEPS:
            state.shields[seat] = None
        if can_use_token(state):
            state.decision = "token"
        else:
            self._end_turn(state, move)

    def _cat_box(self, state: State, move: int) -> None:
        """Rule: CATBOX 7.2."""
        state.shields[state.active] = cell_of(move)
        self._place_or_end(state, move)

    def _dried_fish(self, state: State, move: int) -> None:
        """Rule: CATBOX 7.3."""
        seat, card = state.active, card_of(move)
        state.hands[owner_of(move)].remove(card)
        state.fish[seat] = card
        state.known[seat][card] = state.cards[card].whole
        self._place_or_end(state, move)

    def _cat_paw(self, state: State, _: int) -> None:
        """Rule: CATBOX 7.1."""
        state.decision = "place"

    def _toy_mouse(self, state: State, move: int) -> None:
        """Rule: CATBOX 7.5."""
        card = card_of(move)
        face = state.area.faces[card]
        side = state.area.lift(card)
        state.area.place(card, face, side, cell_of(move))
        self._end_turn(state, move)

    def _place_or_end(self, state: State, move: int) -> None:
        """After a token that can come before the turn's placement. Rule: CATBOX 6.3."""
        if state.decision == "turn" and has_placement(state, state.active, stacking=False):
            state.decision = "place"
        else:
            self._end_turn(state, move)

    def _end_turn(self, state: State, _: int) -> None:
        """Draw hands up, then find the next seat with a placement. Rule: CATBOX 5.5 to 5.7."""
        self._draw_up(state)
        state.token_used = False
        state.decision = "turn"
        last = state.active
        for step in range(1, self.seats + 1):
            seat = (last + step) % self.seats
            state.shields[seat] = None
            if has_placement(state, seat, bool(state.tokens[seat] & TOKEN[STACKING])):
                state.active = seat
                return
        state.decision = "over"

    def _draw_up(self, state: State) -> None:
        """Fill hands in turn order from the active seat, while the pile lasts. Rule: CATBOX 3.3, 5.5."""
        for step in range(self.seats):
            seat = (state.active + step) % self.seats
            hand = state.hands[seat]
            while len(hand) < self.table.hand and state.drawn < len(state.cards):
                hand.append(state.drawn)
                state.known[seat][state.drawn] = state.cards[state.drawn].whole
                self._leave_pile(state)

    def _leave_pile(self, state: State) -> None:
        """The pile's top is gone, and what lay under it is seen. Rule: CATBOX 4.3."""
        state.drawn += 1
        if state.drawn < len(state.cards):
            half = state.cards[state.drawn].half
            for known in state.known:
                known.append(half)

"""Every rule of CATBOX 4: what a seat sees, and that nothing else reaches it."""

from collections import Counter
from random import Random

import msgspec
from catbox_positions import PLAIN, make, start
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.cat_box import CatBox
from arena.games.cat_box.deal import Deal, DealtCard
from arena.games.cat_box.deck import DeckCard
from arena.games.cat_box.observation import imagine_deal
from arena.games.cat_box.state import State
from protocol.cat_box import CATS, Cat, CatPaw, Identity, KnownCard, Made, Observation, Place, PlacedCard
from protocol.messages import MAX_TURN_BYTES, Turn

PLACES = st.tuples(st.integers(2, 5), st.booleans(), st.integers(0, 2**32), st.integers(0, 90))


def play(game: CatBox, deal: Deal, rng: Random, moves: int) -> State:
    state = game.start(deal)
    while moves and game.to_move(state):
        game.apply(state, state.active, rng.choice(game.legal_moves(state, state.active)))
        moves -= 1
    return state


def reach(place: tuple[int, bool, int, int]) -> tuple[CatBox, Deal, State]:
    """A random position of a random game, and its deal."""
    seats, advanced, seed, moves = place
    game = CatBox(seats, {"rules": "advanced" if advanced else "basic"})
    deal = game.deal(Random(seed))
    return game, deal, play(game, deal, Random(seed), moves)


def wire(game: CatBox, state: State, seat: int) -> tuple[bytes, bytes]:
    """The seat's turn in both encodings."""
    legal = [game.encode_move(move) for move in game.legal_moves(state, seat)]
    turn = Turn(1, 2, seat, 1000, game.observe(state, seat), legal)
    return msgspec.msgpack.encode(turn), msgspec.json.encode(turn)


def replayed(game: CatBox, state: State, deal: Deal) -> State:
    """The same moves on another deal."""
    other = game.start(deal)
    for made in state.history:
        game.apply(other, made.seat, game.decode_move(made.move))
    return other


def test_catbox_4_1_a_seat_sees_its_own_identity_and_no_other() -> None:
    game = CatBox(5, {})
    identities: tuple[Identity, ...] = ("pink", "chihuahua", "black", "yellow", "blue")
    state = start(game, " ".join([PLAIN] * 8), identities=identities)
    for seat, identity in enumerate(identities):
        seen = msgspec.to_builtins(game.observe(state, seat))
        assert seen["identity"] == identity
        del seen["cards"]
        assert not any(other in str(seen) for other in identities if other != identity)


def test_catbox_4_2_the_public_side_is_known_to_all_and_the_secret_one_to_seats_that_held_the_card() -> None:
    game = CatBox(2, {})
    state = start(game, "KKKK/PPPP YYYY/BBBB VVVV/KKKK BBBB/YYYY KPVB/BVPK PPPP/VVVV")
    whole = KnownCard(["black"] * 4, ["pink"] * 4)
    half = KnownCard(["black"] * 4, None)
    assert [game.observe(state, seat).cards[0] for seat in (0, 1)] == [whole, half]
    make(game, state, "place 0 at 1 1")
    assert [game.observe(state, seat).cards[0] for seat in (0, 1)] == [whole, whole], "it lies on the table"
    make(game, state, "place 1 at -1 -1")
    assert game.observe(state, 1).cards[1].secret is None, "it lies public side up"
    assert game.observe(state, 0).cards[1].secret == ["blue"] * 4


def test_catbox_4_3_the_piles_top_is_seen_and_nothing_below_it() -> None:
    game = CatBox(2, {})
    state = start(game, " ".join([PLAIN] * 5 + ["YYYY/BBBB", "PPPP/VVVV"]))
    seen = game.observe(state, 0)
    assert seen.pile == 2
    assert len(seen.cards) == 6
    assert seen.cards[5] == KnownCard(["yellow"] * 4, None)
    make(game, state, "place 2 at 1 1", "place 0 at -1 -1")
    assert game.observe(state, 0).pile == 0
    assert len(game.observe(state, 0).cards) == 7


def test_catbox_4_4_a_seat_sees_the_table_the_tokens_the_turn_and_all_moves() -> None:
    game = CatBox(2, {"rules": "advanced"})
    state = start(game, " ".join([PLAIN] * 7))
    make(game, state, "place 0 at 1 1", "paw")
    cats: list[Cat | None] = ["black", "pink", "purple", "blue"]
    seen = game.observe(state, 1)
    assert msgspec.structs.replace(seen, cards=[]) == Observation(
        decision="place",
        seat=1,
        seats=2,
        start_seat=0,
        active=0,
        identity="pink",
        cards=[],
        pile=2,
        hands=[[1], [2, 3]],
        fish=[None, None],
        tokens=[
            ["cat_box", "dried_fish", "stacking", "toy_mouse"],
            ["cat_paw", "cat_box", "dried_fish", "stacking", "toy_mouse"],
        ],
        table=[
            PlacedCard(4, 0, 0, "public", [False, False, False, True]),
            PlacedCard(0, 1, 1, "secret", [False] * 4),
        ],
        shields=[],
        history=[Made(0, Place(0, 0, 1, 1)), Made(0, CatPaw())],
    )
    half, whole = KnownCard(cats, None), KnownCard(cats, cats[::-1])
    assert seen.cards == [whole, half, whole, whole, half, half]


@settings(deadline=None, derandomize=True, max_examples=40)
@given(place=PLACES, draw=st.integers(0, 2**32))
def test_catbox_4_5_other_hidden_cards_and_identities_change_nothing_that_a_seat_is_sent(
    place: tuple[int, bool, int, int], draw: int
) -> None:
    game, _, state = reach(place)
    rng = Random(draw)
    for seat in range(game.seats):
        seen = game.observe(state, seat)
        other_deal = imagine_deal(game.deck, game.table, game.removed, seen, rng)
        game.check_deal(other_deal)
        other = replayed(game, state, other_deal)
        assert game.observe(other, seat) == seen
        if seat in game.to_move(state):
            assert wire(game, other, seat) == wire(game, state, seat)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(place=PLACES, draw=st.integers(0, 2**32))
def test_catbox_4_5_whatever_is_dealt_where_a_seat_cannot_look_it_is_sent_the_same(
    place: tuple[int, bool, int, int], draw: int
) -> None:
    game, deal, state = reach(place)
    rng = Random(draw)
    for seat in game.to_move(state):
        known = state.known[seat]
        pile = [hidden(card, known[card.card] if card.card < len(known) else None, rng) for card in deal.pile]
        unused: list[Identity] = [cat for cat in CATS if cat != deal.identities[seat]]
        identities = rng.sample(unused, game.seats - 1)
        identities.insert(seat, deal.identities[seat])
        other = replayed(game, state, Deal(deal.first_player, identities, deal.removed, pile))
        assert wire(game, other, seat) == wire(game, state, seat)


def hidden(card: DealtCard, known: KnownCard | None, rng: Random) -> DealtCard:
    """The card with all that is not known of it shuffled; its boxes stay, for they tell where it could be placed."""
    public, secret = card.public.copy(), card.secret.copy()
    if known is None:
        rng.shuffle(public)
    if known is None or known.secret is None:
        rng.shuffle(secret)
    return DealtCard(card.card, public, secret)


@settings(deadline=None, derandomize=True, max_examples=30)
@given(place=PLACES)
def test_an_observation_does_not_change_when_the_game_goes_on_and_survives_both_encodings(
    place: tuple[int, bool, int, int],
) -> None:
    game, _, state = reach(place)
    observations = [game.observe(state, seat) for seat in range(game.seats)]
    frozen = msgspec.json.encode(observations)
    while game.to_move(state):
        game.apply(state, state.active, game.legal_moves(state, state.active)[-1])
    assert msgspec.json.encode(observations) == frozen
    assert msgspec.json.decode(frozen, type=list[Observation]) == observations
    packed = msgspec.msgpack.encode(observations)
    assert msgspec.msgpack.decode(packed, type=list[Observation]) == observations


def test_a_drawn_state_is_a_whole_game_that_can_be_played_on() -> None:
    for seats in (2, 3, 4, 5):
        game, _, state = reach((seats, True, seats, 30))
        drawn = game.determinize(game.observe(state, 0), Random(1))
        rng = Random(2)
        while game.to_move(drawn):
            game.apply(drawn, drawn.active, rng.choice(game.legal_moves(drawn, drawn.active)))
        assert len(drawn.area.at) == 48


def test_a_drawn_state_has_its_other_identities_uniform() -> None:
    game, _, state = reach((3, False, 1, 4))
    seen = game.observe(state, 1)
    rng = Random(3)
    found: Counter[str] = Counter()
    for _ in range(400):
        found.update(
            identity for seat, identity in enumerate(game.determinize(seen, rng).identities) if seat != 1
        )
    assert set(found) == set(CATS) - {seen.identity}
    assert all(abs(count - 200) < 60 for count in found.values())


Quadrants = tuple[Cat | None, ...]
A: Quadrants = ("black", "pink", "pink", "pink")
B: Quadrants = ("black", "blue", "blue", "blue")
C: Quadrants = ("black", "yellow", "yellow", "yellow")
D: Quadrants = ("black", "purple", "purple", "purple")
CYCLE = (DeckCard(A, B), DeckCard(B, C), DeckCard(C, D), DeckCard(D, A))


def test_backs_are_drawn_uniformly_over_all_that_fit_together() -> None:
    """Three hidden cards that show A, B and C, out of a cycle of four cards: AB, BC, CD, DA.

    A card can lie once only, so 4 of the 2 x 2 x 2 choices of backs are left, each as likely.
    """
    filler = tuple(
        DeckCard(("pink", "pink", "pink", None), ("pink", "pink", None, "pink")) for _ in range(44)
    )
    game, _, state = reach((2, True, 1, 0))
    known = [KnownCard(list(public), None) for public in (A, B, C)]
    seen = msgspec.structs.replace(game.observe(state, 0), cards=known)
    rng = Random(4)
    found: Counter[str] = Counter()
    names: dict[Quadrants, str] = {A: "A", B: "B", C: "C", D: "D"}
    for _ in range(1500):
        deal = imagine_deal(CYCLE + filler, game.table, 0, seen, rng)
        found["".join(names[tuple(card.secret)] for card in deal.pile[:3])] += 1
    assert set(found) == {"BCD", "DAB", "DAD", "DCD"}
    assert all(abs(count - 375) < 85 for count in found.values()), found


def test_the_longest_turn_is_far_below_the_limit_of_the_wire() -> None:
    """Cards laid to sprawl and every token kept: no game of bots comes near."""
    game = CatBox(3, {"rules": "advanced"})
    state = game.start(game.deal(Random(0)))
    longest = 0
    while game.to_move(state):
        if state.decision == "token":
            game.apply(state, state.active, game.legal_moves(state, state.active)[-1])
            continue
        if len(state.area.at) > 40:
            longest = max(longest, len(wire(game, state, state.active)[1]))
        game.apply(state, state.active, game.legal_moves(state, state.active)[0])
    assert 65536 < longest < MAX_TURN_BYTES / 1.5

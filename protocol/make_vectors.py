"""Golden messages for bots in any language. `python -m protocol.make_vectors` writes the files in vectors/.

messages.json: every message and every decision, with its JSON and the MessagePack bytes that Python writes.
Another writer may order keys or size numbers differently; a reader must get the same values.
invalid.json: payloads that a referee refuses. after: how far the connection is, `start` (no `hello` yet) or
`turn` (the conversation's first turn is outstanding).
conversation.json: one connection from `hello` to `goodbye`.
"""

import json
import pickle
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec

from protocol import cat_box_vectors
from protocol.cat_box import CatBox, CatPaw, DriedFish, EndTurn, Place, ToyMouse
from protocol.cat_in_the_box import (
    BLOCKED,
    COLORS,
    EMPTY,
    Bid,
    Discard,
    Observation,
    Play,
    RoundScore,
    Trick,
    TrickPlay,
)
from protocol.codec import CODECS
from protocol.messages import (
    PROTOCOL_VERSION,
    BotMessage,
    Clock,
    Error,
    GameEnd,
    GameStart,
    Goodbye,
    Hello,
    Move,
    MoveReply,
    RefereeMessage,
    Turn,
    Welcome,
)
from protocol.messages import Observation as AnyObservation

__all__ = ["CONVERSATION", "MESSAGES", "vector_files"]

FOLDER = Path(__file__).parent / "vectors"
FREE = EMPTY
SHUT = BLOCKED

HELLO = Hello(PROTOCOL_VERSION, "counter", "1.2", "0123456789abcdef0123456789abcdef", ["cat_in_the_box"], 4)
CLOCK = Clock(move_ms=1000, bank_ms=10000)
START_TWO = GameStart(0, "cat_in_the_box", 1, 2, {"board": "white"}, CLOCK, rng_seed=6220439017311085)
START_THREE = GameStart(1, "cat_in_the_box", 1, 3, {"board": "white"}, CLOCK, rng_seed=40213)

DISCARD_TWO = Observation(
    phase="discard",
    seat=1,
    seats=2,
    round=0,
    start_seat=0,
    hand=[1, 1, 2, 3, 3, 3, 4, 5, 5, 5],
    discard=None,
    layout=[[1, 2, 3, 4, 5]] * 4,
    board=[
        [FREE, FREE, FREE, FREE, FREE],
        [FREE, FREE, FREE, FREE, FREE],
        [FREE, FREE, FREE, SHUT, FREE],
        [FREE, SHUT, FREE, SHUT, FREE],
    ],
    open_colors=[list(COLORS)] * 2,
    bids=[None, None],
    tricks_won=[0, 0],
    trick=[],
    tricks=[],
    revealed=[2, 4, 4],
    rounds=[],
)
PLAY_TWO = msgspec.structs.replace(
    DISCARD_TWO,
    phase="play",
    hand=[1, 1, 2, 3, 3, 4, 5, 5, 5],
    discard=3,
    board=[
        [FREE, FREE, FREE, FREE, FREE],
        [FREE, FREE, FREE, FREE, 0],
        [FREE, FREE, FREE, SHUT, FREE],
        [FREE, SHUT, FREE, SHUT, FREE],
    ],
    trick=[TrickPlay(0, 5, "blue")],
)

DISCARD_THREE = Observation(
    phase="discard",
    seat=1,
    seats=3,
    round=1,
    start_seat=1,
    hand=[1, 1, 2, 2, 3, 3, 4, 5, 5, 6],
    discard=None,
    layout=[[1, 2, 3, 4, 5, 6]] * 4,
    board=[[FREE] * 6] * 4,
    open_colors=[list(COLORS)] * 3,
    bids=[None, None, None],
    tricks_won=[0, 0, 0],
    trick=[],
    tricks=[],
    revealed=[],
    rounds=[
        RoundScore(
            start_seat=0, scores=[7, 4, 4], tricks=[3, 1, 4], bids=[3, 1, 3], bonus=[4, 3, 0], paradox=None
        )
    ],
)
BID_THREE = msgspec.structs.replace(
    DISCARD_THREE, phase="bid", hand=[1, 1, 2, 3, 3, 4, 5, 5, 6], discard=2, bids=[None, None, None]
)
PLAY_THREE = msgspec.structs.replace(
    BID_THREE,
    phase="play",
    hand=[1, 1, 2, 3, 3, 5, 6],
    board=[
        [FREE, 2, FREE, FREE, FREE, FREE],
        [FREE, FREE, 2, FREE, 1, FREE],
        [FREE, FREE, FREE, 2, 0, 0],
        [0, FREE, FREE, 1, FREE, FREE],
    ],
    open_colors=[["red", "yellow", "green"], list(COLORS), ["red", "blue", "yellow"]],
    bids=[4, 3, 1],
    tricks_won=[0, 1, 1],
    trick=[TrickPlay(2, 4, "yellow"), TrickPlay(0, 5, "yellow")],
    tricks=[
        Trick([TrickPlay(1, 5, "blue"), TrickPlay(2, 3, "blue"), TrickPlay(0, 6, "yellow")], winner=1),
        Trick([TrickPlay(1, 4, "green"), TrickPlay(2, 2, "red"), TrickPlay(0, 1, "green")], winner=2),
    ],
)


def _legal_plays(observation: Observation) -> list[Move]:
    """Plays of a follower: an empty cell of a color that is open to the seat, with a card in hand."""
    return [
        Play(card, color)
        for color, numbers, cells in zip(COLORS, observation.layout, observation.board, strict=True)
        if color in observation.open_colors[observation.seat]
        for card, cell in zip(numbers, cells, strict=True)
        if cell == EMPTY and card in observation.hand
    ]


def _discards(observation: Observation) -> list[Move]:
    return [Discard(card) for card in sorted(set(observation.hand))]


def _turn(game: int, turn: int, time_ms: int, observation: AnyObservation, legal: Sequence[Move]) -> Turn:
    return Turn(game, turn, observation.seat, time_ms, observation, list(legal))


TURN_DISCARD_TWO = _turn(0, 0, 11000, DISCARD_TWO, _discards(DISCARD_TWO))
TURN_PLAY_TWO = _turn(0, 1, 10850, PLAY_TWO, _legal_plays(PLAY_TWO))

MESSAGES: dict[str, BotMessage | RefereeMessage] = {
    "hello": HELLO,
    "move_discard": MoveReply(0, 0, Discard(3)),
    "move_bid": MoveReply(1, 12, Bid(3)),
    "move_play": MoveReply(1, 15, Play(6, "blue")),
    "move_with_note": MoveReply(1, 15, Play(6, "blue"), "safe: it cannot win"),
    "welcome": Welcome(PROTOCOL_VERSION, "0.1.0"),
    "game_start_two_seats": START_TWO,
    "game_start_three_seats": START_THREE,
    "turn_discard_two_seats": TURN_DISCARD_TWO,
    "turn_play_two_seats": TURN_PLAY_TWO,
    "turn_discard_three_seats": _turn(1, 11, 11000, DISCARD_THREE, _discards(DISCARD_THREE)),
    "turn_bid_three_seats": _turn(1, 12, 11000, BID_THREE, [Bid(1), Bid(3), Bid(4)]),
    "turn_play_three_seats": _turn(1, 15, 9120, PLAY_THREE, _legal_plays(PLAY_THREE)),
    "move_place": MoveReply(2, 4, Place(0, 2, -1, 0)),
    "move_place_stacking": MoveReply(2, 4, Place(0, 2, -1, 0, "stacking")),
    "move_cat_box": MoveReply(2, 1, CatBox(2, 2)),
    "move_dried_fish": MoveReply(2, 2, DriedFish(1, 1)),
    "move_cat_paw": MoveReply(2, 1, CatPaw()),
    "move_toy_mouse": MoveReply(2, 1, ToyMouse(0, -1, 1)),
    "move_end_turn": MoveReply(2, 1, EndTurn()),
    "game_start_cat_box": GameStart(
        2, "cat_box", 1, 2, {"rules": "advanced", "deck": "standard"}, CLOCK, rng_seed=77
    ),
    "turn_begin_cat_box": _turn(3, 0, 11000, cat_box_vectors.TURN, cat_box_vectors.TURN_LEGAL),
    "turn_token_cat_box": _turn(2, 1, 11000, cat_box_vectors.TOKEN, cat_box_vectors.TOKEN_LEGAL),
    "turn_place_cat_box": _turn(2, 3, 11000, cat_box_vectors.PLACE, cat_box_vectors.PLACE_LEGAL),
    "game_end_finished": GameEnd(1, "finished", [9, 17, 12], [3, 1, 2]),
    "game_end_forfeit": GameEnd(0, "forfeit", [3, 0], [1, 2]),
    "game_end_void": GameEnd(2, "void", [], []),
    "error_in_a_game": Error("illegal_move", "expected an element of legal, got play 5 yellow", 1),
    "error_of_the_process": Error("protocol_error", "expected move, got a second hello", None),
    "goodbye": Goodbye(),
}

CONVERSATION: list[BotMessage | RefereeMessage] = [
    HELLO,
    Welcome(PROTOCOL_VERSION, "0.1.0"),
    START_TWO,
    TURN_DISCARD_TWO,
    MoveReply(0, 0, Discard(3)),
    TURN_PLAY_TWO,
    MoveReply(0, 1, Play(5, "red"), "take the lead"),
    GameEnd(0, "void", [], []),
    Goodbye(),
]

GOOD_HELLO: dict[str, Any] = msgspec.to_builtins(HELLO)
GOOD_MOVE: dict[str, Any] = msgspec.to_builtins(CONVERSATION[4])


def _pack(value: object) -> bytes:
    return msgspec.msgpack.encode(value)


def _text(value: object) -> bytes:
    return msgspec.json.encode(value)


def _without(message: dict[str, Any], field: str) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != field}


INVALID: dict[str, tuple[str, bytes, str]] = {
    "empty_frame": ("start", b"", "no message at all"),
    "move_before_hello": ("start", _pack(GOOD_MOVE), "the first message is not hello"),
    "hello_without_token": ("start", _pack(_without(GOOD_HELLO, "token")), "token is missing"),
    "hello_with_wrong_token": ("start", _pack(GOOD_HELLO | {"token": "guess"}), "another token"),
    "hello_of_another_protocol": ("start", _text(GOOD_HELLO | {"protocol": 999}), "another protocol version"),
    "hello_for_no_game": ("start", _text(GOOD_HELLO | {"games": []}), "games is empty"),
    "hello_with_a_path_as_name": ("start", _text(GOOD_HELLO | {"name": "../x"}), "name has a slash"),
    "hello_with_a_line_break": ("start", _text(GOOD_HELLO | {"name": "x\n"}), "name ends in a line break"),
    "hello_that_holds_no_game": ("start", _pack(GOOD_HELLO | {"max_games": 0}), "max_games is below 1"),
    "json_after_a_space": ("start", b" " + _text(GOOD_HELLO), "the first byte says MessagePack"),
    "second_hello": ("turn", _pack(GOOD_HELLO), "hello comes once"),
    "json_on_msgpack": ("turn", _text(GOOD_MOVE), "hello was MessagePack"),
    "not_a_map": ("turn", _pack([GOOD_MOVE]), "a message is a map"),
    "no_type": ("turn", _pack(_without(GOOD_MOVE, "type")), "type is missing"),
    "unknown_type": ("turn", _pack(GOOD_MOVE | {"type": "teleport"}), "no such type"),
    "type_of_the_referee": ("turn", _pack({"type": "goodbye"}), "a bot does not send this"),
    "two_types": ("turn", b"\x82\xa4type\xa5hello\xa4type\xa4move", "type is there twice"),
    "float_for_integer": ("turn", _pack(GOOD_MOVE | {"turn": 0.0}), "turn is a float"),
    "text_for_integer": ("turn", _pack(GOOD_MOVE | {"turn": "0"}), "turn is a text"),
    "boolean_for_integer": ("turn", _pack(GOOD_MOVE | {"turn": False}), "turn is a boolean"),
    "negative_turn": ("turn", _pack(GOOD_MOVE | {"turn": -1}), "turn is negative"),
    "huge_game": ("turn", _pack(GOOD_MOVE | {"game": 2**63}), "game is above 2**53 - 1"),
    "no_move": ("turn", _pack(_without(GOOD_MOVE, "move")), "move is missing"),
    "move_is_null": ("turn", _pack(GOOD_MOVE | {"move": None}), "move is null"),
    "unknown_move": ("turn", _pack(GOOD_MOVE | {"move": {"type": "pass"}}), "no such move"),
    "card_out_of_range": (
        "turn",
        _pack(GOOD_MOVE | {"move": {"type": "discard", "card": 52}}),
        "card is above 9",
    ),
    "long_note": ("turn", _pack(GOOD_MOVE | {"note": "x" * 201}), "note is longer than 200"),
    "bytes_for_text": ("turn", _pack(GOOD_MOVE | {"note": b"raw"}), "note is binary"),
    "invalid_utf8": (
        "turn",
        _pack(GOOD_MOVE | {"note": "??"}).replace(b"??", b"\xff\xfe"),
        "note is not UTF-8",
    ),
    "trailing_byte": ("turn", _pack(GOOD_MOVE) + b"\xc0", "a byte follows the message"),
    "truncated": ("turn", _pack(GOOD_MOVE)[:-1], "the last byte is missing"),
    "lying_length": ("turn", b"\xdf\xff\xff\xff\xff", "a map of 2**32 - 1 fields without a body"),
    "deep_nesting": ("turn", b"\x82\xa4type\xa4move\xa1x" + b"\x91" * 2000, "2000 nested arrays"),
    "python_pickle": ("turn", pickle.dumps(GOOD_MOVE, protocol=4), "not MessagePack"),
    "unknown_game": ("turn", _pack(GOOD_MOVE | {"game": 7}), "game 7 was never started"),
    "turn_not_asked": ("turn", _pack(GOOD_MOVE | {"turn": 5}), "turn 5 was never asked"),
}


def vector_files() -> dict[Path, str]:
    """The text of every file in vectors/."""
    return {
        FOLDER / "messages.json": _lines({"name": name} | _vector(m) for name, m in MESSAGES.items()),
        FOLDER / "conversation.json": _lines(map(_vector, CONVERSATION)),
        FOLDER / "invalid.json": _lines(
            {"name": name, "after": after, "hex": payload.hex(), "wrong": wrong}
            for name, (after, payload, wrong) in INVALID.items()
        ),
    }


def _vector(message: BotMessage | RefereeMessage) -> dict[str, Any]:
    return {
        "direction": "bot_to_referee" if type(message) in get_args(BotMessage) else "referee_to_bot",
        "json": json.loads(CODECS["json"].encode(message)),
        "msgpack_hex": CODECS["msgpack"].encode(message).hex(),
    }


def _lines(vectors: Iterable[dict[str, Any]]) -> str:
    """A JSON list with one vector a line."""
    return "[\n" + ",\n".join(map(json.dumps, vectors)) + "\n]\n"


if __name__ == "__main__":
    for path, text in vector_files().items():
        path.write_text(text)

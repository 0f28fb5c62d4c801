from pathlib import Path
from typing import Any

import msgspec
import pytest
from protocol_conversations import BID, end, fault, greeted, move, pack, playing, refusal, send, start, turn

import protocol
from protocol.cat_in_the_box import Discard
from protocol.codec import CODECS, Encoding
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.make_vectors import CONVERSATION, HELLO
from protocol.messages import (
    Goodbye,
    Hello,
    MoveReply,
    RefereeMessage,
    Turn,
    Welcome,
)
from protocol.session import CONNECTION, GAME, MAX_STRAYS, BotSession, Dropped, RefereeSession, markdown_table

# Conversations


@pytest.mark.parametrize("encoding", ["msgpack", "json"])
def test_the_golden_conversation_is_legal_on_both_sides(encoding: Encoding) -> None:
    referee, bot = RefereeSession(HELLO.token, ["cat_in_the_box"]), BotSession(encoding)
    asked: Turn | None = None
    for message in CONVERSATION:
        if isinstance(message, Hello):
            assert referee.receive(bot.hello(message)) == message
        elif isinstance(message, MoveReply):
            assert asked is not None
            assert referee.receive(bot.move(asked, message.move, message.note)) == message
        else:
            assert bot.receive(send(referee, message)) == message
            asked = message if isinstance(message, Turn) else asked
    assert (referee.state, bot.state) == ("closed", "closed")


def test_games_on_one_connection_are_independent() -> None:
    session = playing(1, 2, 5)
    assert session.receive(move(5, 0)) == MoveReply(5, 0, BID)
    assert session.receive(move(1, 0)) == MoveReply(1, 0, BID)
    session.turn(turn(5, 4))
    session.game_end(end(2))
    assert session.running == (1, 5)
    assert session.receive(move(5, 4)) == MoveReply(5, 4, BID)


def test_the_referee_answers_in_the_encoding_of_hello() -> None:
    for encoding, codec in CODECS.items():
        session = RefereeSession(HELLO.token)
        session.receive(codec.encode(HELLO))
        assert (session.welcome("0.1")[:1] == b"{") == (encoding == "json")


# Handshake


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"token": "guess"}, "expected the token in ARENA_TOKEN, got another one"),
        ({"token": "ключ"}, "expected the token in ARENA_TOKEN, got another one"),
        ({"protocol": 2}, "expected protocol 1, got protocol 2"),
        ({"games": ["chess"]}, "expected a bot that plays cat_in_the_box, got one for chess"),
    ],
)
def test_a_hello_that_does_not_fit_breaks_the_connection(change: dict[str, Any], text: str) -> None:
    session = RefereeSession(HELLO.token, ["cat_in_the_box"])
    error = refusal(session, pack(msgspec.structs.replace(HELLO, **change)))
    assert str(error) == text
    assert (error.is_fatal, error.game, session.state, session.hello) == (True, None, "broken", None)
    assert session.receive(pack(HELLO)) is None
    assert CODECS["msgpack"].decode_referee_message(session.error(fault(None))) == fault(None)
    session.goodbye()


def test_a_hello_of_another_protocol_is_told_the_versions_whatever_else_it_holds() -> None:
    error = refusal(RefereeSession("t"), pack({"type": "hello", "protocol": 9, "name": ["a", "list"]}))
    assert str(error) == "expected protocol 1, got protocol 9"


def test_no_error_repeats_a_token() -> None:
    for payload in (
        pack(msgspec.structs.replace(HELLO, token="guess-0000")),
        pack(msgspec.to_builtins(HELLO) | {"token": 5}),
        pack(msgspec.to_builtins(HELLO) | {"token": "guess-0000" * 99}),
    ):
        text = str(refusal(RefereeSession(HELLO.token), payload))
        assert "guess-0000" not in text
        assert HELLO.token not in text


def test_a_move_before_hello_is_refused() -> None:
    assert str(refusal(RefereeSession("t"), move(0, 0))) == "expected hello as the first message, got move"


def test_a_move_before_welcome_is_refused() -> None:
    assert "expected nothing on a greeted connection, got move" in str(refusal(greeted(), move(0, 0)))


def test_a_second_hello_is_a_fault_of_no_one_game_and_ends_the_connection() -> None:
    session = playing(3, 4)
    error = refusal(session, pack(HELLO))
    assert str(error) == "expected move, got a second hello"
    assert (error.game, error.is_fatal, session.state) == (None, True, "broken")


# Moves


def test_a_move_for_a_turn_that_was_not_asked_is_charged_to_its_game_alone() -> None:
    session = playing(1, 2)
    error = refusal(session, move(2, 9))
    assert str(error) == "expected a move for turn 0, got one for turn 9"
    assert (error.game, error.is_fatal) == (2, False)
    session.error(fault(2))
    session.game_end(end(2))
    assert session.receive(move(1, 0)) == MoveReply(1, 0, BID)


def test_a_move_for_a_game_that_is_not_here_ends_the_connection() -> None:
    session = playing(1, 2)
    error = refusal(session, move(9, 0))
    assert (error.game, error.is_fatal, session.state) == (None, True, "broken")
    assert session.receive(move(1, 0)) is None


def test_a_fault_without_games_is_charged_to_none() -> None:
    assert refusal(playing(), move(9, 0)).game is None


def test_a_malformed_move_is_charged_to_the_game_that_it_names() -> None:
    session = playing(1, 2)
    error = refusal(session, pack({"type": "move", "game": 2, "turn": 0, "move": {"type": "pass"}}))
    assert (error.game, error.is_fatal) == (2, False)
    error = refusal(session, b"\xc1")
    assert (error.game, error.is_fatal) == (None, True)


def test_a_repeated_move_is_dropped() -> None:
    session = playing(1)
    session.receive(move(1, 0))
    assert session.receive(move(1, 0)) == Dropped(1, 0)
    session.turn(turn(1, 4))
    assert session.receive(move(1, 0)) == Dropped(1, 0)
    assert session.receive(move(1, 4)) == MoveReply(1, 4, BID)


def test_a_turn_number_that_was_skipped_is_not_a_repeated_move() -> None:
    session = playing(1)
    session.receive(move(1, 0))
    session.turn(turn(1, 4))
    assert str(refusal(session, move(1, 2))) == "expected a move for turn 4, got one for turn 2"


def test_a_move_that_crosses_the_end_of_its_game_is_dropped() -> None:
    session = playing(1, 2)
    session.game_end(end(1))
    assert session.receive(move(1, 0)) == Dropped(1, 0)
    session.error(fault(2))
    assert session.receive(move(2, 0)) == Dropped(2, 0)
    session.game_end(end(2))
    assert session.receive(move(2, 0)) == Dropped(2, 0)


def test_endless_dropped_moves_are_a_fault() -> None:
    session = playing(1)
    session.receive(move(1, 0))
    for _ in range(MAX_STRAYS + HELLO.max_games):
        assert session.receive(move(1, 0)) == Dropped(1, 0)
    error = refusal(session, move(1, 0))
    assert "moves in a row that answer none" in str(error)
    assert (error.game, error.is_fatal) == (None, True)


def test_an_answer_forgives_the_dropped_moves_before_it() -> None:
    session = playing(1)
    for number in range(1, 2 * MAX_STRAYS):
        session.receive(move(1, number - 1))
        for _ in range(5):
            assert session.receive(move(1, number - 1)) == Dropped(1, number - 1)
        session.turn(turn(1, number))


# Our own bugs


def test_the_referee_cannot_break_the_rules_itself() -> None:
    bugs: list[tuple[RefereeSession, RefereeMessage]] = [
        (RefereeSession("t"), Goodbye()),
        (greeted(), start(1)),
        (playing(), Welcome(1, "0.1")),
        (playing(), turn(1, 0)),
        (playing(1), turn(1, 1)),
        (playing(1), start(1)),
        (playing(2), start(1)),
        (playing(1), msgspec.structs.replace(start(2), name="chess")),
        (playing(1, 2, 3, 4), start(5)),
        (playing(), end(1)),
        (playing(), fault(1)),
    ]
    for session, message in bugs:
        state, running = session.state, session.running
        with pytest.raises(LocalProtocolError):
            send(session, message)
        assert (session.state, session.running) == (state, running)


def test_after_a_fault_in_a_game_only_its_end_can_be_sent() -> None:
    session = playing(1)
    session.error(fault(1))
    for message in (turn(1, 1), fault(1)):
        with pytest.raises(LocalProtocolError, match="expected game_end in game 1, which is faulted"):
            send(session, message)
    session.game_end(end(1))


def test_turn_numbers_rise() -> None:
    session = playing(1)
    session.receive(move(1, 0))
    with pytest.raises(LocalProtocolError, match="expected a turn after 0"):
        session.turn(turn(1, 0))


def test_nothing_but_the_last_words_is_sent_on_a_broken_connection() -> None:
    session = playing(1, 2)
    refusal(session, b"")
    for message in (turn(1, 1), start(3), Welcome(1, "0.1")):
        with pytest.raises(LocalProtocolError, match="broken connection"):
            send(session, message)
    session.error(fault(1))
    session.game_end(end(1))
    session.game_end(end(2))
    session.goodbye()
    with pytest.raises(LocalProtocolError, match="expected nothing on a closed connection"):
        session.goodbye()


def test_a_bot_cannot_answer_a_turn_that_is_not_outstanding() -> None:
    bot = BotSession()
    bot.hello(HELLO)
    with pytest.raises(LocalProtocolError, match="expected nothing on a greeted connection"):
        bot.hello(HELLO)
    for message in (Welcome(1, "0.1"), start(1), turn(1, 0)):
        bot.receive(pack(message))
    with pytest.raises(LocalProtocolError, match="expected a move for turn 0 of game 1, got"):
        bot.move(turn(1, 3), BID)
    bot.move(turn(1, 0), BID)
    with pytest.raises(LocalProtocolError, match="expected no move, got an answer to turn 0 of game 1"):
        bot.move(turn(1, 0), BID)


def test_a_bot_names_a_referee_that_breaks_the_rules() -> None:
    for payload in (pack(start(1)), pack(Welcome(2, "9")), pack(HELLO), b"{}", pack(turn(1, 0))):
        bot = BotSession()
        bot.hello(HELLO)
        with pytest.raises(RemoteProtocolError):
            bot.receive(payload)


# The tables


def test_every_state_of_the_tables_is_reached_and_only_the_last_ones_have_no_way_out() -> None:
    for table, first, last in ((CONNECTION, "opening", {"closed"}), (GAME, "new", set())):
        states = {state for state, _ in table}
        assert set(table.values()) | {first, "broken"} >= states
        assert set(table.values()) - states == last


def test_the_tables_stand_in_protocol_md() -> None:
    text = Path(protocol.__file__).with_name("PROTOCOL.md").read_text()
    for table in (CONNECTION, GAME):
        assert markdown_table(table) in text


def test_a_discard_is_a_move_like_any_other() -> None:
    session = playing(1)
    assert session.receive(pack(MoveReply(1, 0, Discard(3), "low"))) == MoveReply(1, 0, Discard(3), "low")

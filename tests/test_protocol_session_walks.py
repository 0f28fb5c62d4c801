"""Sessions that walk at random: both sides by the tables, or a bot that sends anything."""

from collections import deque
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_conversations import (
    BID,
    end,
    fault,
    fault_in,
    move,
    pack,
    playing,
    send,
    start,
    turn,
)
from protocol_strategies import bot_messages, hostile_bytes

from protocol.errors import LocalProtocolError
from protocol.make_vectors import HELLO
from protocol.messages import (
    Error,
    GameEnd,
    MoveReply,
    RefereeMessage,
    Turn,
)
from protocol.session import BotSession, Dropped, RefereeSession


class Walk:
    """Both sides do what the tables allow, at random; messages wait in both directions at will."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.referee, self.bot = RefereeSession(HELLO.token), BotSession("json" if seed % 2 else "msgpack")
        self.up, self.down = deque([self.bot.hello(HELLO)]), deque[bytes]()
        self.pending: dict[int, Turn] = {}
        self.answered = self.dropped = self.steps = 0
        assert self.referee.receive(self.up.popleft()) == HELLO
        self.down.append(self.referee.welcome("0.1"))

    def send(self) -> None:
        self.steps += 1
        game = self.rng.choice([*self.referee.running, self.steps])
        kinds: list[RefereeMessage] = [start(game), turn(game, self.steps), end(game), fault(game)]
        try:
            self.down.append(send(self.referee, self.rng.choices(kinds, [3, 12, 2, 1])[0]))
        except LocalProtocolError:
            return

    def read(self) -> None:
        message = self.bot.receive(self.down.popleft()) if self.down else None
        if isinstance(message, Turn):
            self.pending[message.game] = message
        elif isinstance(message, GameEnd | Error) and message.game is not None:
            self.pending.pop(message.game, None)

    def answer(self) -> None:
        if self.pending:
            game = self.rng.choice(sorted(self.pending))
            self.up.append(self.bot.move(self.pending.pop(game), BID))

    def hear(self) -> None:
        message = self.referee.receive(self.up.popleft()) if self.up else None
        self.answered += isinstance(message, MoveReply)
        self.dropped += isinstance(message, Dropped)


def test_two_sides_that_follow_the_tables_never_fault_each_other() -> None:
    walks = [Walk(seed) for seed in range(60)]
    for walk in walks:
        for _ in range(400):
            walk.rng.choice([walk.send, walk.read, walk.answer, walk.hear])()
    assert sum(walk.answered for walk in walks) > 500
    assert sum(walk.dropped for walk in walks) > 50, "moves did not cross the ends of their games"


@given(
    steps=st.lists(
        st.one_of(
            st.builds(move, st.integers(0, 3), st.integers(0, 3)),
            hostile_bytes,
            bot_messages.map(pack),
            st.sampled_from(
                [start(0), start(2), turn(0, 1), turn(1, 2), turn(2, 3), end(0), end(1), end(2), fault(1)]
            ),
        ),
        max_size=30,
    )
)
@settings(deadline=None, max_examples=120)
def test_whatever_comes_the_referee_raises_only_protocol_errors(steps: list[Any]) -> None:
    session = playing(0, 1)
    for step in steps:
        running = session.running
        if not isinstance(step, bytes):
            try:
                send(session, step)
            except LocalProtocolError:
                assert session.running == running
            continue
        error = fault_in(session, step)
        assert session.running == running
        if error is not None:
            assert error.is_fatal == (error.game is None) == (session.state == "broken")
            assert error.game is None or error.game in running

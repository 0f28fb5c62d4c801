"""How fast the arena is, next to what its sockets alone can do in the same minute on the same machine."""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import zmq

from arena.bots.manifest import find_bot
from arena.bots.pool import Pool
from arena.bots.process import BotProcess
from arena.finished import Finished, stored_game
from arena.games import GAMES
from arena.referee import Decision, Request, play_game
from arena.runner import Runner
from arena.sitting import Conditions
from arena.store import Store
from protocol.messages import Clock, MoveReply, Turn
from tournaments.schedule import Schedule
from tournaments.typed_toml import cores

__all__ = ["Figure", "measure"]

GAME = "cat_in_the_box"
CLOCK = Clock(move_ms=10_000, bank_ms=0)


class Figure(NamedTuple):
    """One measurement. ratio: to the bare sockets with as many messages in flight, None for these."""

    what: str
    in_flight: int
    per_s: float
    ratio: float | None


def measure(seats: int, games: int, in_flight: int) -> Iterator[Figure]:
    """Decisions a second of a whole tournament, one game at a time and `in_flight` games at once."""
    payload, reply = typical_messages(seats)
    for at_once, number in ((1, max(games // 10, 1)), (in_flight, games)):
        bare = ping_pong(payload, reply, at_once, messages=2000 * min(at_once, 10))
        yield Figure("bare pyzmq ping-pong", at_once, bare, None)
        rate = tournament(seats, number, at_once)
        yield Figure("tournament, end to end", at_once, rate, rate / bare)


def tournament(seats: int, games: int, at_once: int) -> float:
    """Decisions a second with bots that answer at once: rules, wire, clocks, records and store."""
    bot = find_bot("random")
    names = [f"random{seat}" for seat in range(seats)]
    bots = {name: msgspec.structs.replace(bot, name=name) for name in names}
    conditions = Conditions(GAMES[GAME](seats, {}), "bench", CLOCK, "substitute")
    fixtures = Schedule(names, seats, deals=-(-games // seats), seating="rotations")
    decisions = 0
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create_or_open(Path(folder, "run"), {}, {})
        pool = Pool(bots, GAME, 10_000, Path(folder, "logs"), min(at_once, cores()))

        def keep(finished: list[Finished]) -> None:
            nonlocal decisions
            decisions += sum(len(game.played.moves) for game in finished)
            store.add(stored_game(conditions.game, game) for game in finished)

        with closing(store), closing(pool):
            runner = Runner(conditions, pool, at_once)
            runner.run(iter(fixtures[:at_once]), lambda _: None)  # starts the processes
            began_s = time.perf_counter()
            Runner(conditions, pool, at_once).run(iter(fixtures), keep)
            return decisions / (time.perf_counter() - began_s)


def typical_messages(seats: int) -> tuple[bytes, bytes]:
    """A turn in the middle of a round, and the answer to it, as they travel."""
    game, rng = GAMES[GAME](seats, {}), Random(1)
    play = play_game(game, game.deal(rng), rng)
    requests: list[Request] = next(play)
    while requests[0].turn < 5 * seats:
        requests = play.send([Decision(rng.choice(request.legal)) for request in requests])
    request = requests[0]
    legal = [game.encode_move(move) for move in request.legal]
    turn = Turn(1, request.turn, request.seat, 10_000, request.observation, legal)
    return msgspec.msgpack.encode(turn), msgspec.msgpack.encode(MoveReply(1, request.turn, legal[0]))


def ping_pong(payload: bytes, reply: bytes, in_flight: int, messages: int) -> float:
    """Round trips a second between a ROUTER here and a DEALER in another process, nothing else done."""
    with _echo(reply) as socket:
        peer, _ = socket.recv_multipart()
        began_s = time.perf_counter()
        for _ in range(in_flight):
            socket.send_multipart((peer, payload))
        for _ in range(messages - in_flight):
            socket.recv_multipart()
            socket.send_multipart((peer, payload))
        for _ in range(in_flight):
            socket.recv_multipart()
        return messages / (time.perf_counter() - began_s)


@contextmanager
def _echo(reply: bytes) -> Iterator["zmq.Socket[bytes]"]:
    """A ROUTER whose peer, a process of its own, answers every message with `reply`."""
    with tempfile.TemporaryDirectory() as folder, zmq.Context() as context:
        socket: zmq.Socket[bytes] = context.socket(zmq.ROUTER, copy_threshold=0)
        with socket:
            endpoint = f"ipc://{folder}/echo"
            socket.bind(endpoint)
            environment = {**os.environ, "ARENA_ENDPOINT": endpoint, "ARENA_TOKEN": reply.hex()}
            argv = [sys.executable, "-m", "arena.bench"]
            process = BotProcess(argv, Path.cwd(), environment, Path(folder, "log"))
            try:
                yield socket
            finally:
                process.kill()


def _answer_everything() -> None:
    reply = bytes.fromhex(os.environ["ARENA_TOKEN"])
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.connect(os.environ["ARENA_ENDPOINT"])
        socket.send(b"")
        while True:
            socket.recv()
            socket.send(reply)


if __name__ == "__main__":
    _answer_everything()

"""Small bots that break the rules, one function each. BEHAVIOR names the function, in bot.toml's [env]."""

import os
import signal
import subprocess
import sys
import time

import msgspec
import zmq

from protocol.messages import PROTOCOL_VERSION


class Wire:
    """A bot's side of the wire with nothing checked."""

    def __init__(self) -> None:
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.connect(os.environ["ARENA_ENDPOINT"])
        self.turns = 0

    def hello(self, **changes):
        hello = {
            "type": "hello",
            "protocol": PROTOCOL_VERSION,
            "name": "misbehave",
            "version": "1",
            "token": os.environ["ARENA_TOKEN"],
            "games": ["cat_in_the_box"],
            "max_games": 1,
        }
        self.send(hello | changes)

    def send(self, message):
        self.socket.send(msgspec.msgpack.encode(message))

    def receive(self):
        return msgspec.msgpack.decode(self.socket.recv())

    def turn(self):
        """The next turn; exits when the arena says goodbye."""
        while True:
            message = self.receive()
            if message["type"] == "turn":
                self.turns += 1
                return message
            if message["type"] == "goodbye":
                sys.exit()
            if message["type"] == "error":
                print("told:", message["code"], message["text"], flush=True)

    def answer(self, asked, **changes):
        answer = {"type": "move", "game": asked["game"], "turn": asked["turn"], "move": asked["legal"][0]}
        self.send(answer | changes)


def greeted(**changes):
    wire = Wire()
    wire.hello(**changes)
    return wire


def play_on(wire):
    while True:
        wire.answer(wire.turn())


def well():
    play_on(greeted())


def well_many():
    play_on(greeted(max_games=64))


def slow_start():
    print("starting slowly", flush=True)
    time.sleep(1.5)
    play_on(greeted())


def prints():
    wire = greeted()
    while True:
        turn = wire.turn()
        print("x" * 5000, flush=True)
        print("y" * 5000, file=sys.stderr, flush=True)
        wire.answer(turn)


def extra_fields():
    wire = greeted(mood="good")
    while True:
        wire.answer(wire.turn(), confidence=0.5)


def answers_twice():
    wire = greeted()
    while True:
        turn = wire.turn()
        wire.answer(turn)
        wire.answer(turn)


def hangs():
    wire = greeted()
    for _ in range(2):
        wire.answer(wire.turn())
    wire.turn()
    time.sleep(3600)


def ignores_term():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    wire = greeted()
    for _ in range(2):
        wire.answer(wire.turn())
    wire.turn()
    time.sleep(3600)


def stops_itself():
    wire = greeted()
    wire.turn()
    os.kill(os.getpid(), signal.SIGSTOP)


def crashes():
    wire = greeted()
    for _ in range(2):
        wire.answer(wire.turn())
    wire.turn()
    raise RuntimeError("this bot is broken")


def crashes_on_some_deals():
    """Holds several games; one hand in two of the second round is too much for it."""
    wire = greeted(max_games=64)
    while True:
        turn = wire.turn()
        table = turn["observation"]
        if table["phase"] == "discard" and table["round"] == 1 and sum(table["hand"]) % 2 == 0:
            os.abort()
        wire.answer(turn)


def exits_zero():
    wire = greeted()
    for _ in range(2):
        wire.answer(wire.turn())
    wire.turn()


def exits_after_answer():
    wire = greeted()
    for _ in range(3):
        wire.answer(wire.turn())
    wire.socket.close(linger=1000)
    zmq.Context.instance().term()


def dies_between_games():
    wire = greeted()
    while True:
        message = wire.receive()
        if message["type"] == "turn":
            wire.answer(message)
        elif message["type"] == "game_end":
            sys.exit()


def illegal():
    wire = greeted()
    while True:
        turn = wire.turn()
        again = {"type": "discard", "card": 1}
        wire.answer(turn, move=again if turn["observation"]["phase"] == "play" else turn["legal"][0])


def illegal_then_exits():
    """Takes the error for its end."""
    wire = greeted()
    while True:
        message = wire.receive()
        if message["type"] == "turn":
            wire.answer(message, move={"type": "discard", "card": 9})
        elif message["type"] == "error":
            sys.exit(1)


def illegal_then_exits_many():
    wire = greeted(max_games=64)
    while True:
        message = wire.receive()
        if message["type"] == "turn":
            bad = message["observation"]["round"] == 1
            move = {"type": "discard", "card": 9} if bad else message["legal"][0]
            wire.answer(message, move=move)
        elif message["type"] == "error":
            sys.exit(1)


def dies_of_a_real_time_signal():
    wire = greeted()
    wire.turn()
    os.kill(os.getpid(), signal.SIGRTMIN + 6)


def removes_its_log():
    wire = greeted()
    wire.turn()
    os.unlink(os.readlink("/proc/self/fd/1"))
    print("gone", flush=True)
    sys.exit(4)


def illegal_many():
    wire = greeted(max_games=64)
    while True:
        turn = wire.turn()
        unheld = {"type": "discard", "card": 9}  # with two players there is no 9
        wire.answer(turn, move=unheld if turn["turn"] < 2 else turn["legal"][0])


def garbage():
    wire = greeted()
    wire.turn()
    wire.socket.send(b"\xff\xfe\x00 nonsense")
    wire.turn()


def empty_frame():
    wire = greeted()
    wire.turn()
    wire.socket.send(b"")
    time.sleep(3600)


def two_frames():
    wire = greeted()
    wire.turn()
    wire.socket.send_multipart([b"", b"x"])
    time.sleep(3600)


def wrong_turn():
    wire = greeted()
    while True:
        turn = wire.turn()
        wire.answer(turn, turn=turn["turn"] + 100)


def speaks_out_of_turn():
    """A second move, for a turn that was never asked, behind every answer."""
    wire = greeted()
    while True:
        turn = wire.turn()
        wire.answer(turn)
        wire.answer(turn, turn=turn["turn"] + 100)


def garbage_out_of_turn():
    wire = greeted()
    while True:
        wire.answer(wire.turn())
        wire.socket.send(b"\x00")


def wrong_type_many():
    """Holds several games; in each of them its second answer is no move."""
    wire = greeted(max_games=64)
    while True:
        turn = wire.turn()
        wire.answer(turn, move=3 if turn["turn"] >= 2 else turn["legal"][0])


def wrong_game():
    wire = greeted()
    wire.answer(wire.turn(), game=1000)
    time.sleep(3600)


def hello_twice():
    wire = greeted()
    wire.turn()
    wire.hello()
    wire.turn()


def never_connects():
    time.sleep(3600)


def never_says_hello():
    Wire()
    time.sleep(3600)


def exits_at_once():
    print("no reason to live", flush=True)
    sys.exit(3)


def wrong_token():
    greeted(token="guessed")
    time.sleep(3600)


def other_version():
    greeted(protocol=PROTOCOL_VERSION + 1)
    time.sleep(3600)


def other_game():
    greeted(games=["chess"])
    time.sleep(3600)


def leave_children():
    """In sessions of their own, where they outlive it."""
    for _ in range(3):
        child = subprocess.Popen(["sleep", "3600"], start_new_session=True)
        print("child", child.pid, flush=True)


def leaves_children():
    leave_children()
    play_on(greeted())


def leaves_children_and_hangs():
    leave_children()
    hangs()


globals()[os.environ["BEHAVIOR"]]()

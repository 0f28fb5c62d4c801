"""`arena play`: one game at the terminal, between bots and people."""

import secrets
from collections.abc import Sequence
from contextlib import closing
from itertools import chain, count
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from arena.bots.build import build
from arena.bots.manifest import Bot, find_bot
from arena.bots.pool import Pool
from arena.cli.console import make_console
from arena.cli.forfeits import ForfeitLines
from arena.cli.person import Person
from arena.cli.runs import RUNS
from arena.errors import InputError
from arena.games import GAMES, Game, OptionError
from arena.record import Record
from arena.referee import Fault, GamePlay, Reply
from arena.replay import StoredPlay, standing
from arena.sitting import Conditions, Finished, Sitting, record_of
from arena.table import Seat, Table
from protocol.errors import one_line
from protocol.messages import Clock
from tournaments.schedule import Fixture

__all__ = ["key_and_value", "play"]

HUMAN = "human"
PLAY_LOGS = RUNS / "logs"
"""What bots print while they play at the terminal."""
STARTUP_MS = 10_000
CLOCK = Clock(move_ms=5_000, bank_ms=60_000)
"""For bots; people take their time."""


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--game", "game_name", default="cat_in_the_box", show_default=True, help="See `arena games`.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="One of the game's options.")
@click.option("--seed", help="The same seed deals the same cards.  [default: random]")
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Add the record to FILE."
)
def play(
    bots: Sequence[str], game_name: str, options: Sequence[str], seed: str | None, output: Path | None
) -> None:
    """Play one game; every BOT takes a seat, in this order.

    BOT is `human`, a bot's folder, or the name of a sample bot such as cautious.
    """
    game = _game(game_name, len(bots), options)
    players = _players(bots)
    seed = seed or secrets.token_hex(4)
    console = make_console()
    finished = _play(game, players, seed, console)
    record = record_of(game, finished)
    _show_end(game, record, finished, console)
    console.print(f"To be dealt the same cards again: --seed {seed}")
    if output is not None:
        _save(record, output)


def _game(name: str, seats: int, options: Sequence[str]) -> Game[Any, Any]:
    if name not in GAMES:
        raise InputError(f"--game: expected one of {', '.join(GAMES)}, got {name!r}")
    try:
        return GAMES[name](seats, dict(key_and_value(text) for text in options))
    except OptionError as error:
        raise InputError(f"{'BOT' if error.key == 'seats' else f'--option {error.key}'}: {error}") from None


def key_and_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"--option: expected KEY=VALUE, got {text!r}")
    return key, value


def _players(texts: Sequence[str]) -> list[Bot | None]:
    """By seat, None for a person. Different bots of one name are told apart by a number."""
    bots: dict[str, Bot] = {}
    players: list[Bot | None] = []
    for text in texts:
        bot = None if text == HUMAN else find_bot(text)
        if bot is not None:
            numbered = (f"{bot.name}{number}" for number in count(2))
            names = (name for name in chain([bot.name], numbered) if name != HUMAN)
            name = next(name for name in names if name not in bots or bots[name].folder == bot.folder)
            bot = bots[name] = msgspec.structs.replace(bot, name=name)
        players.append(bot)
    return players


def _play(game: Game[Any, Any], players: Sequence[Bot | None], seed: str, console: Console) -> Finished:
    """players: by seat, None for a person."""
    names = tuple(HUMAN if bot is None else bot.name for bot in players)
    programs = {bot.name: _program(bot, game) for bot in players if bot is not None}

    def people(table: Table) -> dict[int, Seat]:
        return {seat: Person(table, game, seat, console) for seat, bot in enumerate(players) if bot is None}

    def watch(playing: GamePlay) -> GamePlay:
        return _narrated(playing, game, names, console)

    conditions = Conditions(game, seed, CLOCK, "substitute")
    pool = Pool(programs, game.name, STARTUP_MS, PLAY_LOGS, processes_per_bot=1)
    with closing(pool):
        fixture = Fixture(f"0/0/{'+'.join(names)}", 0, 0, names)
        sitting = Sitting(conditions, fixture, people=people, watch=watch)
        while not sitting.is_over:
            sitting.take_seats(pool)
            pool.step()
        return sitting.finished


def _program(bot: Bot, game: Game[Any, Any]) -> Bot:
    """The bot as it can be started."""
    if game.name not in bot.manifest.games:
        raise InputError(f"{bot.name} plays {', '.join(bot.manifest.games)}, not {game.name}")
    program = build(bot)
    program.check_program()
    return program


def _narrated(playing: GamePlay, game: Game[Any, Any], names: Sequence[str], console: Console) -> GamePlay:
    """The same play, with what everybody at the table sees said aloud."""
    requests = next(playing)
    while True:
        replies = yield requests
        for request, reply in zip(requests, replies, strict=True):
            line = f"seat {request.seat} ({names[request.seat]}): {_said(game, reply)}"
            console.print(one_line(line), soft_wrap=True)
        try:
            requests = playing.send(replies)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]  # typeshed leaves the value of StopIteration open


def _said(game: Game[Any, Any], reply: Reply) -> str:
    if isinstance(reply, Fault):
        return f"forfeits, {reply.reason}: {reply.detail}"
    if game.is_secret(reply.move):
        return "has chosen"
    return game.describe(reply.move) + (f"  “{reply.note}”" if reply.note else "")


def _show_end(game: Game[Any, Any], record: Record, finished: Finished, console: Console) -> None:
    """The table at the end, what went wrong, and who won."""
    *_, (_, state) = StoredPlay(record, game, msgspec.json.decode(record.deal, type=game.deal_type)).steps()
    console.print()
    console.print(game.draw([game.observe(state, seat) for seat in range(game.seats)]))
    ForfeitLines(console.print).show([finished])
    for line in standing(record):
        console.print(line, soft_wrap=True)


def _save(record: Record, output: Path) -> None:
    try:
        with output.open("ab") as file:
            file.write(msgspec.json.encode(record) + b"\n")
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}") from None

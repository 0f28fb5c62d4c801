"""A person at the terminal as one seat of a table."""

import re
import sys
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console

from arena.games import Game
from arena.referee import Decision, Request
from arena.table import Table

__all__ = ["Person", "choose", "shown"]

QUIT = {"q", "quit", "exit"}
NUMBER = re.compile(r"-?\d+")
MINUS_SIGNS = str.maketrans("−–", "--")
STRAY_MINUS = re.compile(r"-(?!\d)")
MOST_SHOWN = 60
"""Moves that are listed one by one."""


class Person:
    """A seat for somebody who sees the table as that seat may, and types moves."""

    is_ready = True

    def __init__(self, table: Table, game: Game[Any, Any], seat: int, console: Console) -> None:
        self._table = table
        self._game = game
        self._seat = seat
        self._console = console

    def start(self) -> None:
        self._console.print(f"You are seat {self._seat}. Type a move, ? for all of them, q to quit.")

    def ask(self, request: Request) -> None:
        labels = [self._game.describe(move) for move in request.legal]
        self._console.print()
        self._console.print(self._game.draw([request.observation]))
        self._table.deliver(self._seat, Decision(request.legal[self._prompt(labels)]))

    def end(self, *_: object) -> None:
        pass

    def _prompt(self, labels: Sequence[str]) -> int:
        """The index of the label that is chosen. Raises click.Abort at `q` or the end of the input."""
        while True:
            self._console.print(f"seat {self._seat}> ", end="")
            line = sys.stdin.readline()
            text = line.strip().lower()
            if not line or text in QUIT:
                raise click.Abort
            meant = choose(text, labels)
            if len(meant) == 1:
                return meant[0]
            self._console.print(f"one of: {shown([labels[i] for i in meant] or labels)}", soft_wrap=True)


def shown(labels: Sequence[str]) -> str:
    """The labels; of a long list the first of each kind, with how many there are."""
    if len(labels) <= MOST_SHOWN:
        return ", ".join(labels)
    kinds: dict[str, list[str]] = {}
    for label in labels:
        kinds.setdefault(label.split()[0], []).append(label)
    return ", ".join(f"{same[0]} ({len(same)} such)" if same[1:] else same[0] for same in kinds.values())


def choose(text: str, labels: Sequence[str]) -> list[int]:
    """Which of `labels` the text can mean: `5 blue`, `blue 5`, `5b`; a lone `5` while only one label has it.

    Every word of the text stands for another word of the label: letters for what they begin, a number for itself.
    Numbers keep their order, as in `place 17 at 2 -1`, while other words may stand anywhere.
    """
    if text in labels:
        return [labels.index(text)]
    text = text.translate(MINUS_SIGNS)
    if STRAY_MINUS.search(text):
        return []
    words, numbers = re.findall(r"[a-z]+", text), NUMBER.findall(text)
    if not words and not numbers:
        return []
    return [index for index, label in enumerate(labels) if _can_mean(words, numbers, label.lower())]


def _can_mean(words: Sequence[str], numbers: Sequence[str], label: str) -> bool:
    left = label.split()
    for word in words:
        match = next((part for part in left if part.startswith(word)), None)
        if match is None:
            return False
        left.remove(match)
    named = iter(NUMBER.findall(label))
    return all(number in named for number in numbers)

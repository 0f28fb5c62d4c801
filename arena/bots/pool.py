"""The bot processes of a run: started when they are needed, kept for many games, started again after a death."""

import os
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from arena.bots.connection import Connection
from arena.bots.manifest import Bot
from arena.bots.process import GRACE_PERIOD_S, BotProcess, ProgramError, adopt_orphans
from arena.bots.transport import Endpoint, Switchboard
from arena.clock import MAX_STEP_S, SteadyClock
from arena.errors import StorageError
from arena.referee import Fault

__all__ = ["Pool"]

FAILED_STARTS = 3
"""Failed start-ups in a row after which a bot is not tried again in this run."""


READING_S = 0.1
"""From the `error` to a process at fault until it is killed."""
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")


class _Crew:
    """A bot and the processes that run it now. starts_failed: in a row."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.connections: list[Connection] = []
        self.starts_failed = 0
        self.last_failure: Fault | None = None

    def note_failure(self, fault: Fault) -> None:
        self.starts_failed += 1
        self.last_failure = fault


class Pool:
    """Hands out places at bot processes.

    One process a bot and core is started before processes get a second game; where a bot takes several games,
    further ones share them. `step` must be called at least every MAX_STEP_S while bots are asked.
    """

    def __init__(
        self,
        bots: Mapping[str, Bot],
        game_name: str,
        startup_ms: int,
        logs: Path,
        processes_per_bot: int,
    ) -> None:
        self._crews = {name: _Crew(bot) for name, bot in bots.items()}
        self._game_name = game_name
        self._startup_ms = startup_ms
        self._logs = logs
        self._processes_per_bot = processes_per_bot
        self._clock = SteadyClock()
        self._waited_s = self._clock.now_s()
        self._switchboard = Switchboard()
        self._leaving: list[tuple[float, Connection]] = []
        adopt_orphans()

    def place(
        self, name: str, taken: Collection[Connection], is_alone: bool = False
    ) -> Connection | Fault | None:
        """A process of the bot with room for a game, perhaps still starting; None: ask again later.

        is_alone: a fresh process, for this game only.
        taken: processes already at the table; none plays two of its seats. A Fault if the bot cannot be started.
        """
        crew = self._crews[name]
        if is_alone:
            return self._start(crew, is_for_one_game=True)
        free = [connection for connection in crew.connections if connection not in taken]
        idle = [connection for connection in free if connection.is_idle]
        if idle:
            return idle[0]
        if len(crew.connections) < self._processes_per_bot:
            return self._start(crew)
        roomy = [connection for connection in free if connection.has_room]
        if roomy:
            return min(roomy, key=lambda connection: connection.games)
        if any(connection.state == "starting" for connection in free):
            return None
        return self._start(crew)

    def step(self, timeout_s: float = MAX_STEP_S / 2) -> None:
        """Wait for bots at most `timeout_s`, take in what they sent, and find out whose time is up.

        What is there without waiting may have come at any time since the last wait, and is taken to have come
        then: the arena's own work is not charged to whoever's answer lay in the socket meanwhile.
        """
        arrived_s = self._waited_s
        ready = self._switchboard.wait(0)
        if not ready:
            self._clock.now_s()
            ready = self._switchboard.wait(timeout_s)
            arrived_s = self._clock.now_s()
        for on_readable in ready:
            on_readable(arrived_s)
        self._waited_s = now_s = self._clock.now_s()
        for crew in self._crews.values():
            for connection in tuple(crew.connections):
                connection.check_time(now_s)
        self._take_away(now_s)

    def close(self) -> None:
        """End every process: goodbye, a grace period, SIGTERM, another one, SIGKILL to it and all it left."""
        connections = [connection for crew in self._crews.values() for connection in crew.connections]
        for connection in connections:
            connection.say_goodbye()
        self._switchboard.flush()
        _wait_for_exits(connections)
        left = [connection for connection in connections if connection.process.exit_status() is None]
        for connection in left:
            connection.process.terminate()
        _wait_for_exits(left)
        for connection in (*connections, *(connection for _, connection in self._leaving)):
            self._put_down(connection)
        self._switchboard.close()

    def on_ready(self, connection: Connection) -> None:
        self._crews[connection.bot.name].starts_failed = 0

    def on_gone(self, connection: Connection) -> None:
        """It gets a moment to read why, or to exit by itself."""
        crew = self._crews[connection.bot.name]
        crew.connections.remove(connection)
        fault = connection.fault
        if fault is not None and fault.reason == "startup_failure":
            crew.note_failure(fault)
        until_s = self._clock.now_s() + (GRACE_PERIOD_S if fault is None else READING_S)
        self._leaving.append((until_s, connection))

    def _start(self, crew: _Crew, is_for_one_game: bool = False) -> Connection | Fault:
        if crew.starts_failed >= FAILED_STARTS and crew.last_failure is not None:
            return crew.last_failure
        endpoint = self._switchboard.endpoint()
        token = secrets.token_hex(16)
        log = self._logs / crew.bot.name / f"{time.time_ns()}.log"
        try:
            process = BotProcess(crew.bot.argv, crew.bot.folder, _environment(crew.bot, endpoint, token), log)
        except ProgramError as error:
            endpoint.close()
            fault = Fault("startup_failure", str(error))
            crew.note_failure(fault)
            return fault
        except OSError as error:
            endpoint.close()
            raise StorageError(f"cannot start a process of bot {crew.bot.name}: {error}") from error
        connection = Connection(
            crew.bot, self._game_name, process, endpoint, self._clock, self._startup_ms, self, is_for_one_game
        )
        crew.connections.append(connection)
        self._switchboard.watch(endpoint, connection.on_readable)
        if process.pidfd is not None:
            self._switchboard.watch(process.pidfd, partial(self._on_ended, connection))
        return connection

    def _on_ended(self, connection: Connection, _: float) -> None:
        if connection.process.pidfd is not None:
            self._switchboard.unwatch(connection.process.pidfd)
        connection.on_ended(self._clock.now_s())

    def _take_away(self, now_s: float) -> None:
        """Put down what had its moment, or has ended by itself."""
        for until_s, connection in tuple(self._leaving):
            if until_s <= now_s or connection.process.exit_status() is not None:
                self._leaving.remove((until_s, connection))
                self._put_down(connection)

    def _put_down(self, connection: Connection) -> None:
        self._switchboard.unwatch(connection.endpoint)
        if connection.process.pidfd is not None:
            self._switchboard.unwatch(connection.process.pidfd)
        connection.endpoint.close()
        connection.process.kill()


def _environment(bot: Bot, endpoint: Endpoint, token: str) -> dict[str, str]:
    """What a bot's process finds: little of ours, so that it runs alike everywhere and learns no secret."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    fixed = {"PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0"}
    return {**kept, **fixed, **bot.manifest.env, "ARENA_ENDPOINT": endpoint.address, "ARENA_TOKEN": token}


def _wait_for_exits(connections: Sequence[Connection]) -> None:
    """Wait one grace period for all of them together."""
    deadline_s = time.monotonic() + GRACE_PERIOD_S
    for connection in connections:
        connection.process.wait(max(0.0, deadline_s - time.monotonic()))

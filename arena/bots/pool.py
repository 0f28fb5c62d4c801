"""The bot processes of a run: started when they are needed, kept for many games, started again after a death."""

import os
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from arena.bots.connection import Connection
from arena.bots.manifest import Bot
from arena.bots.process import GRACE_PERIOD_S, BotProcess, adopt_orphans, sweep
from arena.bots.transport import Endpoint, Switchboard
from arena.clock import MAX_STEP_S, SteadyClock
from arena.referee import Fault

__all__ = ["Pool", "cores"]

FAILED_STARTS = 3
"""Failed start-ups in a row after which a bot is not tried again in this run."""


READING_S = 0.1
"""From the `error` to a process at fault until it is killed."""
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")


class _Program:
    """A bot and the processes that run it now."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.connections: list[Connection] = []
        self.failed_starts = 0
        self.last_failure: Fault | None = None


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
        self._programs = {name: _Program(bot) for name, bot in bots.items()}
        self._game_name = game_name
        self._startup_ms = startup_ms
        self._logs = logs
        self._processes_per_bot = processes_per_bot
        self._clock = SteadyClock()
        self._switchboard = Switchboard()
        self._dying: list[tuple[float, Connection]] = []
        self._tokens: set[str] = set()
        adopt_orphans()

    def place(
        self, name: str, taken: Collection[Connection], is_alone: bool = False
    ) -> Connection | Fault | None:
        """A process of the bot with room for a game, perhaps still starting; None: ask again later.

        is_alone: on a fresh process.
        taken: processes already at the table; none plays two of its seats. A Fault if the bot cannot be started.
        """
        program = self._programs[name]
        if is_alone:
            return self._start(program)
        free = [connection for connection in program.connections if connection not in taken]
        idle = [connection for connection in free if connection.games == 0]
        if idle:
            return idle[0]
        if len(program.connections) < self._processes_per_bot:
            return self._start(program)
        roomy = [connection for connection in free if connection.has_room()]
        if roomy:
            return min(roomy, key=lambda connection: connection.games)
        if any(connection.state == "starting" for connection in free):
            return None
        return self._start(program)

    def step(self, timeout_s: float = MAX_STEP_S / 2) -> None:
        """Wait for bots at most `timeout_s`, take in what they sent, and find out whose time is up."""
        ready = self._switchboard.wait(timeout_s)
        self._clock.now_s()
        for on_readable in ready:
            on_readable()
        for program in self._programs.values():
            for connection in tuple(program.connections):
                connection.check_time()
        while self._dying and self._dying[0][0] <= self._clock.now_s():
            self._put_down(self._dying.pop(0)[1])

    def close(self) -> None:
        """End every process: goodbye, a grace period, SIGTERM, another one, SIGKILL; then sweep what is left."""
        connections = [c for program in self._programs.values() for c in program.connections]
        for connection in connections:
            connection.say_goodbye()
        self._switchboard.flush()
        _wait_for_exits(connections)
        left = [connection for connection in connections if connection.process.exit_status() is None]
        for connection in left:
            connection.process.terminate()
        _wait_for_exits(left)
        for connection in (*connections, *(connection for _, connection in self._dying)):
            self._put_down(connection)
        sweep(self._tokens)
        self._switchboard.close()

    def _start(self, program: _Program) -> Connection | Fault:
        if program.failed_starts >= FAILED_STARTS and program.last_failure is not None:
            return program.last_failure
        endpoint = self._switchboard.endpoint()
        token = secrets.token_hex(16)
        try:
            process = BotProcess(
                program.bot.argv,
                program.bot.folder,
                _environment(program.bot, endpoint, token),
                self._logs / program.bot.name / f"{time.time_ns()}.log",
            )
        except OSError as error:
            endpoint.close()
            program.failed_starts += 1
            program.last_failure = Fault(
                "startup_failure", f"cannot start {program.bot.argv[0]}: {error.strerror}"
            )
            return program.last_failure
        self._tokens.add(token)
        connection = Connection(
            program.bot, self._game_name, process, endpoint, self._clock, self._startup_ms, self._on_gone
        )
        program.connections.append(connection)
        self._switchboard.watch(endpoint, connection.on_readable)
        if process.pidfd is not None:
            self._switchboard.watch(process.pidfd, connection.on_ended)
        return connection

    def _on_gone(self, connection: Connection) -> None:
        """A process that cannot be used any more. It gets a moment to read why."""
        program = self._programs[connection.bot.name]
        if connection.fault is not None and connection.fault.reason == "startup_failure":
            program.failed_starts += 1
            program.last_failure = connection.fault
        else:
            program.failed_starts = 0
        program.connections.remove(connection)
        self._dying.append((self._clock.now_s() + READING_S, connection))

    def _put_down(self, connection: Connection) -> None:
        self._switchboard.unwatch(connection.endpoint)
        if connection.process.pidfd is not None:
            self._switchboard.unwatch(connection.process.pidfd)
        connection.endpoint.close()
        connection.process.kill()


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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

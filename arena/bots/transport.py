"""ZeroMQ sockets for bots; the only file of the arena's games that imports zmq.

One ROUTER a bot process, each on an unguessable path of its own, so that no bot can speak for another.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import zmq

from protocol.messages import MAX_MESSAGE_BYTES

__all__ = ["Endpoint", "Switchboard"]

Letter: TypeAlias = tuple["zmq.Socket[bytes]", bytes, bytes]
"""A socket, the peer's routing id there, and the message."""

MAX_IPC_PATH_BYTES = 107
"""sun_path of a Unix domain socket, less its closing zero."""
QUEUED_MESSAGES = 256
"""For one process in each direction: the games it may hold have at most four messages under way each."""


class Switchboard:
    """Every socket and file descriptor the arena listens to, and the private directory the sockets live in."""

    def __init__(self) -> None:
        self._context = zmq.Context()
        self._poller = zmq.Poller()
        self._watched: dict[Any, Callable[[float], None]] = {}
        self._outbox: list[Letter] = []
        self._directory = _socket_directory()

    def close(self) -> None:
        self._context.destroy(linger=0)
        shutil.rmtree(self._directory, ignore_errors=True)

    def endpoint(self) -> "Endpoint":
        """A new ROUTER on a fresh path."""
        return Endpoint(self._context, self._directory / secrets.token_hex(8), self._outbox)

    def watch(self, source: "Endpoint | int", on_readable: Callable[[float], None]) -> None:
        """Let `wait` return `on_readable` when there is something to read from an endpoint or file descriptor."""
        key = source.socket if isinstance(source, Endpoint) else source
        self._watched[key] = on_readable
        self._poller.register(key, zmq.POLLIN)

    def unwatch(self, source: "Endpoint | int") -> None:
        """Stop listening; nothing happens if it is not watched."""
        key = source.socket if isinstance(source, Endpoint) else source
        if self._watched.pop(key, None) is not None:
            self._poller.unregister(key)

    def wait(self, timeout_s: float) -> list[Callable[[float], None]]:
        """Send what was posted, then what to call for all there is to read, after at most `timeout_s`.

        Each is called with the time at which what it reads is taken to have arrived.
        """
        self.flush()
        return [self._watched[key] for key, _ in self._poller.poll(int(timeout_s * 1000))]

    def flush(self) -> None:
        """Send what was posted. All together, since waking ZeroMQ's own thread costs more than a message does."""
        for socket, peer, payload in self._outbox:
            if not socket.closed:
                _send(socket, peer, payload)
        self._outbox.clear()


class Endpoint:
    """One ROUTER socket, where one bot process connects."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], path: Path, outbox: list[Letter]) -> None:
        self._path = path
        self._outbox = outbox
        self.address = f"ipc://{path}"
        self.socket: zmq.Socket[bytes] = context.socket(zmq.ROUTER)
        for option, value in (
            (zmq.LINGER, 0),
            (zmq.ROUTER_MANDATORY, 1),
            (zmq.ROUTER_HANDOVER, 0),
            (zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES),
            (zmq.RCVHWM, QUEUED_MESSAGES),
            (zmq.SNDHWM, QUEUED_MESSAGES),
            (zmq.HANDSHAKE_IVL, 1000),
        ):
            self.socket.setsockopt(option, value)
        self.socket.bind(self.address)

    def close(self) -> None:
        self.socket.close(linger=0)
        self._path.unlink(missing_ok=True)

    def hide(self) -> None:
        """Take the path away; the connection that is there goes on, a new one cannot come."""
        self._path.unlink(missing_ok=True)

    def receive(self) -> list[bytes] | None:
        """The next message that has arrived, the peer's routing id and its frames; None if there is none."""
        try:
            return self.socket.recv_multipart(zmq.DONTWAIT)
        except zmq.Again:
            return None

    def post(self, peer: bytes, payload: bytes) -> None:
        """Have a message sent before the switchboard waits next."""
        self._outbox.append((self.socket, peer, payload))


def _send(socket: "zmq.Socket[bytes]", peer: bytes, payload: bytes) -> None:
    """A message for a peer that is gone or has stopped reading is lost: its clock goes on without it."""
    try:
        socket.send(peer, zmq.SNDMORE | zmq.DONTWAIT)
        socket.send(payload, zmq.DONTWAIT)
    except zmq.ZMQError as error:
        if error.errno not in (zmq.EAGAIN, zmq.EHOSTUNREACH):
            raise


def _socket_directory() -> Path:
    """A fresh private directory whose socket paths stay under the limit, also where TMPDIR is long."""
    for parent in (None, "/tmp"):
        directory = Path(tempfile.mkdtemp(prefix="arena-", dir=parent))
        if len(os.fsencode(directory)) + 17 <= MAX_IPC_PATH_BYTES:
            return directory
        directory.rmdir()
    raise OSError(f"no temporary directory short enough for a socket path of {MAX_IPC_PATH_BYTES} bytes")

"""A run on disk: the folder with every finished game of one tournament.

`games.db` is the authority, `spec.json` a copy of the resolved spec for people. Games are committed with
synchronous=FULL before `add` returns, so a game that was ever counted survives whatever is killed next.

The database is made in one transaction under a rollback journal and turned to WAL afterwards: its first page
then always lies in the file itself, so that a foreign or damaged file is recognised from its bytes, before
SQLite is let near it.
"""

import os
import sqlite3
import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from arena import __version__
from arena.errors import InputError, StorageError
from arena.ownership import LOCK_FILE, Ownership
from tournaments.spec import differences

if TYPE_CHECKING:
    from tournaments.results import Result

__all__ = [
    "APPLICATION_ID",
    "DATABASE_FILE",
    "SCHEMA_VERSION",
    "Positions",
    "Store",
    "StoredGame",
]

Files = Mapping[str, str]
"""Digests of a bot's files, by path."""

DATABASE_FILE = "games.db"
SPEC_FILE = "spec.json"
SCHEMA_VERSION = 1
APPLICATION_ID = 0x43415441  # "CATA"

# Results and records apart: a leaderboard reads the narrow table alone, a tenth of the pages.
_SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE games (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
    " deal INTEGER NOT NULL, players TEXT NOT NULL, ranks TEXT NOT NULL, scores TEXT NOT NULL,"
    " forfeits TEXT NOT NULL) STRICT",
    "CREATE TABLE records (position INTEGER PRIMARY KEY REFERENCES games, record BLOB NOT NULL,"
    " move_ms BLOB NOT NULL) STRICT",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
_HEADER = struct.Struct(
    ">16s44xI4xI28x"
)  # SQLite file format 1.3: magic, user version at 60, application id at 68
_MAGIC = b"SQLite format 3\0"
_FULL_CHECK_BYTES = 64 << 20
"""Databases up to this size are checked page by page when opened; it takes well under a second."""


class StoredGame(NamedTuple):
    """One finished game.

    key: the fixture's identity.  position: its place in the schedule, from 0.
    players: bot names by seat, as are ranks and scores.  forfeits: (seat, reason).
    record: its line in an export, without the newline.
    move_ms: time charged for each of the record's moves, or empty.
    """

    key: str
    position: int
    deal_number: int
    players: Sequence[str]
    ranks: Sequence[int]
    scores: Sequence[int]
    forfeits: Sequence[tuple[int, str]]
    record: bytes
    move_ms: Sequence[float] = ()


class Positions:
    """A set of places in the schedule, one byte for each up to the last."""

    def __init__(self, positions: Iterable[int], end: int) -> None:
        """end: larger than every position."""
        self._present = bytearray(end)
        for position in positions:
            self._present[position] = 1

    def __contains__(self, position: int) -> bool:
        return 0 <= position < len(self._present) and bool(self._present[position])

    def __len__(self) -> int:
        return self._present.count(1)

    def __iter__(self) -> Iterator[int]:
        return (position for position, present in enumerate(self._present) if present)


class Store:
    """An open run. spec: what affects its results.  bots: by name, the digest of each file of its folder.

    created_by: version of the arena that began it.
    """

    def __init__(self, folder: Path, database: sqlite3.Connection, ownership: Ownership | None) -> None:
        self.folder = folder
        self._database = database
        self._ownership = ownership
        meta = dict(database.execute("SELECT key, value FROM meta"))
        self.spec: dict[str, Any] = msgspec.json.decode(meta["spec"])
        self.bots: dict[str, dict[str, str]] = msgspec.json.decode(meta["bots"])
        self.created_by: str = meta["created_by"]

    @classmethod
    def create_or_open(cls, folder: Path, spec: Mapping[str, Any], bots: Mapping[str, Files]) -> "Store":
        """The run in `folder`, made if there is none, owned by this process until closed.

        Raises InputError if the folder cannot be used, is in use, or holds a run of another spec or of other
        bots.
        """
        with _opening(folder), ExitStack() as undo:
            _check_folder(folder)
            _check_header(folder / DATABASE_FILE)
            folder.mkdir(parents=True, exist_ok=True)
            ownership = Ownership(folder)
            undo.callback(ownership.release)
            database = _connect(folder, "rwc")
            undo.callback(database.close)
            _create_unless_present(database, spec, bots)
            _check_pages(database, folder)
            store = cls(folder, database, ownership)
            store._check_same(spec, bots)
            _prepare_for_writing(database, folder)
            undo.pop_all()
            return store

    @classmethod
    def open(cls, folder: Path) -> "Store":
        """The run in `folder` for reading, also while another process plays it.

        Raises InputError if there is none.
        """
        with _opening(folder), ExitStack() as undo:
            if not _check_header(folder / DATABASE_FILE):
                raise InputError(f"{folder} holds no run")
            database = _connect(folder, "ro")
            undo.callback(database.close)
            if not _is_ours(database):
                raise InputError(f"{folder} holds no run")
            _check_pages(database, folder)
            store = cls(folder, database, None)
            undo.pop_all()
            return store

    def close(self) -> None:
        self._database.close()
        if self._ownership:
            self._ownership.release()
            self._ownership = None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, games: Iterable[StoredGame]) -> None:
        """Store games, all or none; they are on the disk when this returns.

        Raises StorageError if one is stored already or the disk does not take them; nothing is stored then.
        """
        with self._reported("cannot store games"), _transaction(self._database):
            for game in games:
                try:
                    self._database.execute(
                        "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (
                            game.position,
                            game.key,
                            game.deal_number,
                            *map(_json, (game.players, game.ranks, game.scores, game.forfeits)),
                        ),
                    )
                except sqlite3.IntegrityError as error:
                    raise StorageError(
                        f"{self.folder}: game {game.key} is stored already ({error})"
                    ) from error
                self._database.execute(
                    "INSERT INTO records VALUES (?, ?, ?)",
                    (game.position, game.record, struct.pack(f"<{len(game.move_ms)}f", *game.move_ms)),
                )

    def positions(self) -> Positions:
        """Places in the schedule of the stored games."""
        # One statement sees one state of a run that another process plays.
        stored = array("q", (position for (position,) in self._rows("SELECT position FROM games")))
        return Positions(stored, max(stored, default=-1) + 1)

    def keys(self) -> Iterator[str]:
        """Keys of the stored games, in the schedule's order."""
        return (key for (key,) in self._rows("SELECT key FROM games ORDER BY position"))

    def results(self) -> "Iterator[Result]":
        """Results of the stored games, in the schedule's order."""
        from tournaments.results import Result  # numpy comes with it, and only leaderboards need it

        for deal, players, ranks, scores, forfeits in self.rows():
            yield Result(deal, tuple(players), tuple(ranks), tuple(scores), tuple(forfeits))

    def rows(self) -> "Iterator[tuple[int, list[str], list[int], list[int], list[int]]]":
        """Of each stored game what its result is made of, in the schedule's order.

        Deal number; by seat: players, who may sit there more than once, ranks and scores; the seats that forfeited.
        """
        decode_names = msgspec.json.Decoder(list[str]).decode
        decode_ints = msgspec.json.Decoder(list[int]).decode
        decode_forfeits = msgspec.json.Decoder(list[tuple[int, str]]).decode
        rows = self._rows("SELECT deal, players, ranks, scores, forfeits FROM games ORDER BY position")
        for deal, players, ranks, scores, forfeits in rows:
            at_fault = [seat for seat, _ in decode_forfeits(forfeits)]
            yield deal, decode_names(players), decode_ints(ranks), decode_ints(scores), at_fault

    def records(self, timings: bool = False) -> Iterator[bytes]:
        """Records of the stored games, in the schedule's order.

        timings: with the time charged for each move.
        """
        sql = "SELECT key, record, move_ms FROM games LEFT JOIN records USING (position) ORDER BY position"
        for key, record, move_ms in self._rows(sql):
            if record is None:
                raise StorageError(f"{self.folder / DATABASE_FILE} is damaged: game {key} has no record")
            yield _with_timings(record, move_ms) if timings else record

    def record(self, game: str | int) -> bytes:
        """The record of one game, by its key or its place in the schedule.

        Raises InputError if it is not stored.
        """
        column = "key" if isinstance(game, str) else "position"
        sql = f"SELECT record FROM games JOIN records USING (position) WHERE {column} = ?"
        for (record,) in self._rows(sql, game):
            return bytes(record)
        raise InputError(f"{self.folder} has no game {game}")

    def _rows(self, sql: str, *parameters: str | int) -> Iterator[Any]:
        with self._reported("cannot read games"):
            # Not `yield from`: it would close the cursor, which SQLite refuses once the store is closed.
            for row in self._database.execute(sql, parameters):  # noqa: UP028
                yield row

    @contextmanager
    def _reported(self, what: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StorageError(f"{self.folder / DATABASE_FILE}: {what}: {error}") from error

    def _check_same(self, spec: Mapping[str, Any], bots: Mapping[str, Files]) -> None:
        advice = "give another run folder with --run"
        if changed := "; ".join(differences(self.spec, _plain(spec))):
            raise InputError(f"{self.folder} is a run of another spec: {changed}; {advice}")
        if changed := ", ".join(_changed(self.bots, bots)):
            raise InputError(f"{self.folder}: changed since the run began: {changed}; {advice}")


@contextmanager
def _opening(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{folder} cannot be used: {error.strerror}") from error
    except sqlite3.Error as error:
        raise InputError(f"{folder / DATABASE_FILE} cannot be opened: {error}") from error
    except (KeyError, msgspec.DecodeError) as error:
        raise InputError(
            f"{folder / DATABASE_FILE} is damaged: its description of the run is missing"
        ) from error


def _check_folder(folder: Path) -> None:
    """Raises InputError if the folder holds files and no database: it is something else's."""
    if folder.exists():
        strangers = sorted(set(os.listdir(folder)) - {LOCK_FILE})
        if strangers and DATABASE_FILE not in strangers:
            raise InputError(f"{folder} holds no run but other files ({strangers[0]})")


def _check_header(path: Path) -> bool:
    """Whether a database is there at all; raises InputError if it is not one of ours."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
    except FileNotFoundError:
        return False
    if not header:  # a crash before the first commit
        return False
    if len(header) < _HEADER.size or not header.startswith(_MAGIC):
        raise InputError(f"{path} is damaged or no database")
    _, version, application = _HEADER.unpack(header)
    if application != APPLICATION_ID:
        raise InputError(f"{path} is a database of another program")
    if version > SCHEMA_VERSION:
        raise InputError(f"{path} was written by a newer arena (schema {version}, known {SCHEMA_VERSION})")
    return True


def _connect(folder: Path, mode: str) -> sqlite3.Connection:
    """mode: `ro` or `rwc`."""
    path = (folder / DATABASE_FILE).resolve()
    options = f"mode={mode}"
    if mode == "ro" and not os.access(folder, os.W_OK) and not path.with_name(f"{path.name}-wal").exists():
        options += "&immutable=1"  # on a read-only disk SQLite could not make the shared memory of a WAL
    database = sqlite3.connect(f"{path.as_uri()}?{options}", uri=True, isolation_level=None)
    database.execute("PRAGMA busy_timeout = 10000")
    return database


def _is_ours(database: sqlite3.Connection) -> bool:
    (application,) = database.execute("PRAGMA application_id").fetchone()
    return bool(application == APPLICATION_ID)


def _create_unless_present(
    database: sqlite3.Connection, spec: Mapping[str, Any], bots: Mapping[str, Files]
) -> None:
    if _is_ours(database):
        return
    meta = {"spec": _json(_plain(spec)), "bots": _json(dict(bots)), "created_by": __version__}
    database.execute("PRAGMA synchronous = FULL")
    with _transaction(database):
        for statement in _SCHEMA:
            database.execute(statement)
        database.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())


def _prepare_for_writing(database: sqlite3.Connection, folder: Path) -> None:
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    (spec,) = database.execute("SELECT value FROM meta WHERE key = 'spec'").fetchone()
    unfinished = folder / f"{SPEC_FILE}.new"
    unfinished.write_bytes(msgspec.json.format(spec.encode(), indent=2) + b"\n")
    unfinished.replace(folder / SPEC_FILE)


def _check_pages(database: sqlite3.Connection, folder: Path) -> None:
    """Raises InputError or sqlite3.DatabaseError for a damaged database; of a large one the ends are read."""
    if (folder / DATABASE_FILE).stat().st_size > _FULL_CHECK_BYTES:
        database.execute("SELECT min(position), max(position), min(key), max(key) FROM games").fetchone()
        return
    (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise InputError(f"{folder / DATABASE_FILE} is damaged: {' '.join(verdict.split())}")


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:  # SQLite has rolled back by itself after some errors
            database.execute("ROLLBACK")
        raise


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _plain(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The spec as it comes back from JSON, to be compared with a stored one."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(dict(spec)))
    return plain


def _changed(stored: Mapping[str, Files], given: Mapping[str, Files]) -> Iterator[str]:
    """Bots whose files are not what they were. Files that came since do not count: a bot may write to its folder."""
    for name in sorted(stored.keys() | given.keys()):
        if name not in stored or name not in given:
            yield f"bot {name}"
        elif files := [path for path, digest in stored[name].items() if given[name].get(path) != digest]:
            yield f"{files[0]} of bot {name}"


def _with_timings(record: bytes, move_ms: bytes) -> bytes:
    game = msgspec.json.decode(record)
    times = struct.unpack(f"<{len(move_ms) // 4}f", move_ms)
    for move, charged_ms in zip(game["moves"], times, strict=False):
        if "by" not in move:
            move["ms"] = round(charged_ms, 3)
    return msgspec.json.encode(game)

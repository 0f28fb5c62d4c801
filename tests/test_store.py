"""The store keeps what it reported as kept, and leaves alone what is not its own."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest
from stored import BOTS, SPEC, stored_game

from arena.errors import InputError, StorageError
from arena.store import DATABASE_FILE, SCHEMA_VERSION, Store, StoredGame
from tournaments.results import Result

REPOSITORY = Path(__file__).parent.parent

WRITER = """
import sys
from pathlib import Path
from arena.store import Store
from stored import BOTS, SPEC, stored_game
with Store.create_or_open(Path(sys.argv[1]), SPEC, BOTS) as store:
    done = store.positions()
    print("open", flush=True)
    for position in range(int(sys.argv[2])):
        if position not in done:
            store.add([stored_game(position)])
            print(position, flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "small"


def fill(folder: Path, *positions: int) -> None:
    with Store.create_or_open(folder, SPEC, BOTS) as store:
        store.add(map(stored_game, positions))


@contextmanager
def writer(folder: Path, games: int) -> Iterator["subprocess.Popen[str]"]:
    """A process that stores `games` games one by one and prints the position of each that is committed."""
    environment = os.environ | {"PYTHONPATH": f"{REPOSITORY}:{Path(__file__).parent}"}
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(games)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def damage(path: Path, offset: int, content: bytes) -> bytes:
    """Overwrite bytes of a file; returns what the whole file holds now."""
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(content)
    return path.read_bytes()


def test_stored_games_come_back_in_the_order_of_the_schedule(folder: Path) -> None:
    fill(folder, 4, 1)
    fill(folder, 3)
    with Store.open(folder) as store:
        assert list(store.keys()) == ["game-1", "game-3", "game-4"]
        assert list(store.records()) == [stored_game(position).record for position in (1, 3, 4)]
        assert [result.deal for result in store.results()] == [0, 1, 2]


def test_a_result_names_the_seats_that_forfeited(folder: Path) -> None:
    fill(folder, 0, 1)
    with Store.open(folder) as store:
        assert list(store.results()) == [
            Result(0, ("a", "b", "c"), (1, 2, 3), (9, 4, -2), ()),
            Result(0, ("a", "b", "c"), (1, 2, 3), (9, 4, -2), (2,)),
        ]


def test_positions_hold_exactly_the_stored_places(folder: Path) -> None:
    fill(folder, 5, 0, 2)
    with Store.open(folder) as store:
        positions = store.positions()
    assert len(positions) == 3
    assert list(positions) == [0, 2, 5]
    assert [place in positions for place in range(-1, 8)] == [
        False, True, False, True, False, False, True, False, False,
    ]  # fmt: skip


def test_a_new_run_holds_no_game(folder: Path) -> None:
    fill(folder)
    with Store.open(folder) as store:
        assert len(store.positions()) == 0
        assert list(store.results()) == []


def test_a_record_is_found_by_its_key_and_by_its_place(folder: Path) -> None:
    fill(folder, 7)
    with Store.open(folder) as store:
        assert store.record("game-7") == store.record(7) == stored_game(7).record
        with pytest.raises(InputError, match="has no game game-8"):
            store.record("game-8")


def test_timings_stand_only_in_exports_that_ask_for_them_and_only_at_moves_of_bots(folder: Path) -> None:
    fill(folder, 0)
    with Store.open(folder) as store:
        (line,) = store.records(timings=True)
    assert msgspec.json.decode(line)["moves"] == [{"seat": 0, "ms": 1.25}, {"seat": 1, "by": "referee"}]


@pytest.mark.parametrize(
    "again", [stored_game(1), stored_game(1)._replace(position=9), stored_game(1)._replace(key="k")]
)
def test_no_key_and_no_place_is_stored_twice(folder: Path, again: StoredGame) -> None:
    with Store.create_or_open(folder, SPEC, BOTS) as store:
        store.add([stored_game(1)])
        with pytest.raises(StorageError, match="is stored already"):
            store.add([stored_game(2), again])
        assert list(store.keys()) == ["game-1"], "the whole call is refused"


def test_a_full_disk_is_reported_and_costs_no_stored_game(folder: Path) -> None:
    with Store.create_or_open(folder, SPEC, BOTS) as store:
        store.add([stored_game(0)])
        (pages,) = store._database.execute("PRAGMA page_count").fetchone()
        store._database.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StorageError, match=r"games\.db: cannot store games: database or disk is full"):
            store.add([stored_game(1, padding=1 << 20)])
        store._database.execute("PRAGMA max_page_count = 1000000")
        store.add([stored_game(1, padding=1 << 20)])
        assert list(store.keys()) == ["game-0", "game-1"]


def test_a_run_of_another_spec_is_refused_with_the_keys_that_differ(folder: Path) -> None:
    fill(folder, 0)
    other = SPEC | {"seats": 4, "options": {"board": "purple"}}
    with pytest.raises(InputError) as refusal:
        Store.create_or_open(folder, other, BOTS)
    assert 'options.board: was "white", now "purple"' in str(refusal.value)
    assert "seats: was 3, now 4" in str(refusal.value)
    assert "name" not in str(refusal.value).replace(folder.name, "")


def test_a_bot_that_changed_since_the_run_began_is_named(folder: Path) -> None:
    fill(folder, 0)
    with pytest.raises(
        InputError, match=r"changed since the run began: bot.py of bot b; give another run folder with --run"
    ):
        Store.create_or_open(folder, SPEC, BOTS | {"b": {"bot.py": "other"}})


def test_a_refused_run_can_be_opened_afterwards(folder: Path) -> None:
    fill(folder, 0)
    with pytest.raises(InputError):
        Store.create_or_open(folder, SPEC | {"seats": 4}, BOTS)
    fill(folder, 1)


def test_a_second_owner_is_told_which_process_has_the_run(folder: Path) -> None:
    with writer(folder, games=1_000_000) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        with pytest.raises(InputError) as refusal:
            Store.create_or_open(folder, SPEC, BOTS)
    assert str(refusal.value) == f"{folder} is in use by process {process.pid}"


def test_the_same_process_cannot_own_a_run_twice(folder: Path) -> None:
    with Store.create_or_open(folder, SPEC, BOTS):
        with pytest.raises(InputError, match=f"in use by process {os.getpid()}"):
            Store.create_or_open(folder, SPEC, BOTS)
        with writer(folder, games=0) as process:
            assert process.wait() != 0, "the refusal left the lock where it was"


def test_games_are_read_while_another_process_writes(folder: Path) -> None:
    with writer(folder, games=40) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip().isdigit():
                with Store.open(folder) as store:
                    keys = list(store.keys())
                assert f"game-{int(line)}" in keys
    with Store.open(folder) as store:
        assert len(store.positions()) == 40


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_writer_loses_no_game_it_reported_and_stores_none_twice(folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    reported: set[int] = set()
    for _ in range(3):
        with writer(folder, games=1000) as process:
            assert process.stdout is not None
            for _ in range(rng.randrange(1, 25)):
                line = process.stdout.readline()
                reported |= {int(line)} if line.strip().isdigit() else set()
            process.send_signal(signal.SIGKILL)
            reported |= {
                int(line) for line in process.stdout if line.endswith("\n") and line.strip().isdigit()
            }
    with Store.create_or_open(folder, SPEC, BOTS) as store:
        positions = set(store.positions())
        assert reported <= positions
        assert list(store.records()) == [stored_game(position).record for position in sorted(positions)]
        assert store._database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("statements", range(17))
def test_a_run_whose_making_was_cut_short_is_made_again(folder: Path, statements: int) -> None:
    """The maker dies by SIGKILL at its n-th SQL statement; these are all it makes."""
    script = (
        "import os, signal, sys; from pathlib import Path; from arena import store\n"
        "from stored import BOTS, SPEC\n"
        "connect = store._connect\n"
        "def counted(folder, mode):\n"
        "    database = connect(folder, mode)\n"
        "    left = iter(range(int(sys.argv[2])))\n"
        "    die = lambda _: next(left, None) is None and os.kill(os.getpid(), signal.SIGKILL)\n"
        "    database.set_trace_callback(die)\n"
        "    return database\n"
        "store._connect = counted\n"
        "store.Store.create_or_open(Path(sys.argv[1]), SPEC, BOTS)\n"
    )
    environment = os.environ | {"PYTHONPATH": f"{REPOSITORY}:{Path(__file__).parent}"}
    maker = subprocess.run(
        [sys.executable, "-c", script, str(folder), str(statements)], env=environment, check=False
    )
    assert maker.returncode == -signal.SIGKILL
    fill(folder, 0)
    with Store.open(folder) as store:
        assert (store.spec, store.bots) == (SPEC, BOTS)


@pytest.mark.parametrize("open_run", [Store.open, lambda folder: Store.create_or_open(folder, SPEC, BOTS)])
class TestFilesThatAreNotOurs:
    """Each is refused in one line, and every byte of it stays."""

    def refused(self, folder: Path, open_run: object, match: str) -> None:
        before = {path: path.read_bytes() for path in folder.iterdir()}
        with pytest.raises(InputError, match=match) as refusal:
            open_run(folder)  # type: ignore[operator]
        assert "\n" not in str(refusal.value)
        assert before.items() <= {path: path.read_bytes() for path in folder.iterdir()}.items()

    def test_an_overwritten_header(self, folder: Path, open_run: object) -> None:
        fill(folder, 0)
        damage(folder / DATABASE_FILE, 0, b"garbage" * 20)
        self.refused(folder, open_run, "is damaged or no database")

    def test_a_short_file(self, folder: Path, open_run: object) -> None:
        folder.mkdir(parents=True)
        (folder / DATABASE_FILE).write_bytes(b"SQLite format 3\0")
        self.refused(folder, open_run, "is damaged or no database")

    def test_damaged_pages(self, folder: Path, open_run: object) -> None:
        fill(folder, *range(50))
        size = (folder / DATABASE_FILE).stat().st_size
        damage(folder / DATABASE_FILE, 4096, b"\xff" * (size - 4096))
        self.refused(folder, open_run, "damaged|malformed|cannot be opened")

    def test_a_cut_file(self, folder: Path, open_run: object) -> None:
        fill(folder, *range(50))
        os.truncate(folder / DATABASE_FILE, 8192)
        self.refused(folder, open_run, "damaged|malformed|cannot be opened")

    def test_a_foreign_database(self, folder: Path, open_run: object) -> None:
        folder.mkdir(parents=True)
        with closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
            database.execute("CREATE TABLE letters (text)")
        self.refused(folder, open_run, "is a database of another program")

    def test_a_newer_schema(self, folder: Path, open_run: object) -> None:
        fill(folder, 0)
        with closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
            database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        self.refused(folder, open_run, "was written by a newer arena")

    def test_a_folder_of_other_files(self, folder: Path, open_run: object) -> None:
        folder.mkdir(parents=True)
        (folder / "thesis.tex").write_text("years of work")
        self.refused(folder, open_run, "holds no run")
        assert [path.name for path in folder.iterdir()] == ["thesis.tex"]

    def test_a_file_in_place_of_the_folder(self, tmp_path: Path, open_run: object) -> None:
        (tmp_path / "run").write_text("a file")
        with pytest.raises(InputError, match="cannot be used: Not a directory"):
            open_run(tmp_path / "run")  # type: ignore[operator]

    def test_a_folder_below_a_file(self, tmp_path: Path, open_run: object) -> None:
        (tmp_path / "file").write_text("a file")
        with pytest.raises(InputError, match="cannot be used: Not a directory"):
            open_run(tmp_path / "file" / "run")  # type: ignore[operator]


def test_an_empty_folder_is_no_run_to_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no run"):
        Store.open(tmp_path)


def test_a_damaged_record_in_a_large_run_is_reported_when_it_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store._FULL_CHECK_BYTES", 0)
    with Store.create_or_open(folder, SPEC, BOTS) as store:
        store.add([stored_game(0, padding=100_000)])
        store._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with Store.open(folder) as reader:
            os.truncate(folder / DATABASE_FILE, 32768)
            with pytest.raises(StorageError, match=r"games\.db: cannot read games: "):
                list(reader.records())


def test_an_iterator_given_up_early_leaves_the_store_usable(folder: Path) -> None:
    with Store.create_or_open(folder, SPEC, BOTS) as store:
        store.add(map(stored_game, range(300)))
        records = store.records()
        next(records)
        store.add([stored_game(300)])
    records.close()  # type: ignore[attr-defined]

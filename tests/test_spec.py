"""Specs: what is read, and what every bad one is told."""

import json
import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_specs import make_spec

from tournaments.spec import Clock, SpecError, check_names, differences, fingerprint, read_spec

KEYS = {"game": '"cat_in_the_box"', "seats": "3", "deals": "20", "seed": '"s"'}
BOTS = '[[bots]]\npath = "a"\nname = "a"\n[[bots]]\npath = "../b"\n[[bots]]\npath = "/c"\n'


def toml(bots: str = BOTS, /, **keys: str | None) -> str:
    """A spec's text. keys: TOML values to add or, with None, to leave out."""
    lines = [f"{key} = {value}" for key, value in {**KEYS, **keys}.items() if value is not None]
    return "\n".join([*lines, bots])


def write(folder: Path, text: str | bytes, name: str = "spec.toml") -> Path:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_a_short_spec_has_the_defaults(tmp_path: Path) -> None:
    spec = read_spec(write(tmp_path, toml(), "my-cup.toml"))
    assert (spec.name, spec.format, spec.challenger, spec.seating) == (
        "my-cup",
        "round_robin",
        None,
        "balanced",
    )
    assert (spec.on_forfeit, spec.options, spec.clock) == ("substitute", {}, Clock(10_000, 1_000, 10_000))
    assert spec.concurrency >= 1
    assert spec.file == tmp_path / "my-cup.toml"


def test_concurrency_is_by_default_what_this_process_may_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 5}, raising=False)
    assert read_spec(write(tmp_path, toml())).concurrency == 3


def test_a_full_spec_is_read(tmp_path: Path) -> None:
    keys = {
        "name": '"cup"',
        "format": '"gauntlet"',
        "challenger": '"a"',
        "seating": '"rotations"',
        "concurrency": "2",
        "on_forfeit": '"end"',
        "options": '{board = "white", n = 3, flag = true}',
        "clock": "{startup_ms = 1, move_ms = 2, bank_ms = 0}",
    }
    spec = read_spec(write(tmp_path, toml(**keys)))
    assert (spec.name, spec.challenger, spec.concurrency, spec.on_forfeit) == ("cup", "a", 2, "end")
    assert spec.options == {"board": "white", "n": 3, "flag": True}
    assert spec.clock == Clock(1, 2, 0)


def test_paths_are_relative_to_the_spec(tmp_path: Path) -> None:
    paths = [bot.path for bot in read_spec(write(tmp_path, toml())).bots]
    real = Path(os.path.realpath(tmp_path))
    assert paths == [real / "a", real.parent / "b", Path("/c")]


def test_a_whole_number_as_seed_is_its_text(tmp_path: Path) -> None:
    assert read_spec(write(tmp_path, toml(seed="42"))).seed == "42"


BOTS_RULE = "2 to 1000 tables [[bots]] with a path each"
PATH_RULE = "the bot's folder, relative to the spec"
NAME_RULE = "a name of letters, digits, '.', '_' and '-', the first a letter or digit, at most 64"

BAD_KEYS: dict[str, tuple[dict[str, str | None], str]] = {
    "six seats": ({"seats": "6"}, "seats: expected a whole number from 2 to 5, got 6"),
    "seats as text": ({"seats": '"3"'}, "seats: expected a whole number from 2 to 5, got '3'"),
    "half a deal": ({"deals": "1.5"}, "deals: expected a whole number from 1 to 1000000000, got 1.5"),
    "no deals": ({"deals": "0"}, "deals: expected a whole number from 1 to 1000000000, got 0"),
    "too many deals": (
        {"deals": "9" * 30},
        f"deals: expected a whole number from 1 to 1000000000, got {'9' * 30}",
    ),
    "no game": ({"game": None}, f"game: missing, expected {NAME_RULE}"),
    "a bool as seed": ({"seed": "true"}, "seed: expected text or a whole number, got True"),
    "an empty seed": ({"seed": '""'}, "seed: expected text or a whole number, got ''"),
    "a path as name": ({"name": '"../x"'}, f"name: expected {NAME_RULE}, got '../x'"),
    "a line break in a name": ({"name": '"x\\n"'}, f"name: expected {NAME_RULE}, got 'x\\n'"),
    "format": ({"format": '"swiss"'}, 'format: expected "round_robin" or "gauntlet", got \'swiss\''),
    "seating": ({"seating": '"all"'}, 'seating: expected "balanced" or "rotations", got \'all\''),
    "on_forfeit": ({"on_forfeit": "1"}, 'on_forfeit: expected "substitute" or "end", got 1'),
    "concurrency": ({"concurrency": "0"}, "concurrency: expected a whole number from 1 to 1024, got 0"),
    "clock": ({"clock": "5"}, "clock: expected a table with startup_ms, move_ms and bank_ms, got 5"),
    "move_ms": (
        {"clock": "{move_ms = 0}"},
        "clock.move_ms: expected a whole number from 1 to 3600000, got 0",
    ),
    "options": ({"options": "[]"}, "options: expected a table of the game's options, got []"),
    "option value": (
        {"options": "{board = 1.5}"},
        "options.board: expected text, a whole number below 2**53, true or false, got 1.5",
    ),
    "unknown key": (
        {"seat": "3"},
        "seat: unknown key, expected one of name, game, seats, deals, seed, format, challenger, seating, "
        "concurrency, on_forfeit, options, clock, bots",
    ),
    "unknown clock key": (
        {"clock": "{turn_ms = 3}"},
        "clock.turn_ms: unknown key, expected one of startup_ms, move_ms, bank_ms",
    ),
    "too few bots": ({"seats": "4"}, "bots: expected at least 4 bots for a table of 4, got 3"),
    "gauntlet alone": (
        {"format": '"gauntlet"'},
        'challenger: missing, format = "gauntlet" expects the name of one of the bots',
    ),
    "challenger alone": ({"challenger": '"a"'}, 'challenger: only allowed with format = "gauntlet"'),
}

BAD_BOTS = {
    "no bots": ("", f"bots: missing, expected {BOTS_RULE}"),
    "one bot": ("bots = [{path = 'a'}]", f"bots: expected {BOTS_RULE}, got [{{'path': 'a'}}]"),
    "text": ("bots = ['a', 'b']", f"bots[0]: expected {BOTS_RULE}, got 'a'"),
    "no path": ("bots = [{path = 'a'}, {}]", f"bots[1].path: missing, expected {PATH_RULE}"),
    "path 3": ("bots = [{path = 3}, {}]", f"bots[0].path: expected {PATH_RULE}, got 3"),
    "NUL": ('bots = [{path = "\\u0000"}, {}]', f"bots[0].path: expected {PATH_RULE}, got '\\x00'"),
    "unknown": (
        "bots = [{path = 'a', nam = 'b'}, {}]",
        "bots[0].nam: unknown key, expected one of path, name",
    ),
    "name": ("bots = [{path = 'a', name = 'a b'}, {}]", f"bots[0].name: expected {NAME_RULE}, got 'a b'"),
    "twice": (
        "bots = [{path = 'a', name = 'x'}, {path = 'b'}, {path = 'c', name = 'x'}]",
        "bots[2].name: expected a name that no other bot has, got 'x' twice",
    ),
}

BAD_FILES = {
    "syntax": (b"seats = 3\ndeals = = 4\n", "expected TOML: Invalid value (at line 2, column 9)"),
    "twice": (b"seats = 3\nseats = 3\n", "expected TOML: Cannot overwrite a value (at line 2, column 10)"),
    "not UTF-8": (b"name = '\xff'", "expected UTF-8 text, got other bytes at offset 8"),
    "nested": (b"seats = " + b"[" * 20_000, "expected TOML, got values nested too deeply"),
}  # fmt: skip


def assert_says(file: Path, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        read_spec(file)
    assert str(caught.value) == f"{file}: {message}"
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("case", BAD_KEYS)
def test_a_bad_key_is_told_by_file_key_and_what_is_allowed(tmp_path: Path, case: str) -> None:
    keys, message = BAD_KEYS[case]
    assert_says(write(tmp_path, toml(**keys)), message)


@pytest.mark.parametrize("case", BAD_BOTS)
def test_a_bad_bot_is_told_by_its_number(tmp_path: Path, case: str) -> None:
    bots, message = BAD_BOTS[case]
    assert_says(write(tmp_path, toml(bots)), message)


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_file_that_is_not_toml_is_told_by_line_or_offset(tmp_path: Path, case: str) -> None:
    content, message = BAD_FILES[case]
    assert_says(write(tmp_path, content), message)


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    assert_says(tmp_path / "none.toml", "expected a readable TOML file: No such file or directory")
    assert_says(tmp_path, "expected a readable TOML file: Is a directory")


def test_a_file_name_that_cannot_name_a_run_is_told(tmp_path: Path) -> None:
    assert_says(write(tmp_path, toml(), "my cup.toml"), f"name: expected {NAME_RULE}, got 'my cup'")


def test_a_challenger_is_checked_as_soon_as_all_names_are_known(tmp_path: Path) -> None:
    named = "bots = [{path = 'a', name = 'x'}, {path = 'b', name = 'y'}]"
    keys = {"format": '"gauntlet"', "challenger": '"z"', "seats": "2"}
    assert_says(write(tmp_path, toml(named, **keys)), "challenger: expected one of x, y, got 'z'")
    unnamed = "bots = [{path = 'a', name = 'x'}, {path = 'b'}]"
    spec = read_spec(write(tmp_path, toml(unnamed, **keys)))
    check_names(spec, ["x", "z"])
    with pytest.raises(SpecError, match=r"challenger: expected one of x, y, got 'z'"):
        check_names(spec, ["x", "y"])


def test_two_bots_whose_manifests_have_one_name_are_told() -> None:
    spec = make_spec([None, None, None])
    check_names(spec, ["a", "b", "c"])
    with pytest.raises(SpecError) as caught:
        check_names(spec, ["a", "b", "b"])
    assert (caught.value.path, caught.value.key) == (Path("test.toml"), "bots[2].name")


@settings(deadline=None, max_examples=100)
@given(st.text(), st.text(), st.text())
def test_an_error_is_always_one_printable_line(path: str, key: str, message: str) -> None:
    assert str(SpecError(path, key, message)).isprintable()


def as_toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{as_toml(key)} = {as_toml(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else repr(value)


VALUES = st.recursive(
    st.integers() | st.text() | st.booleans() | st.floats(),
    lambda inner: st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None, max_examples=100)
@given(
    key=st.sampled_from(["name", "seats", "seed", "clock", "bots", "options", "format", "x y", ""]),
    value=VALUES,
)
def test_any_value_is_read_or_told_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, key: str, value: object
) -> None:
    table = {
        "game": "g",
        "seats": 2,
        "deals": 1,
        "seed": "s",
        "bots": [{"path": "a"}, {"path": "b"}],
        key: value,
    }
    file = write(
        tmp_path_factory.mktemp("spec"), "\n".join(f"{as_toml(k)} = {as_toml(v)}" for k, v in table.items())
    )
    message = ""
    try:
        read_spec(file)
    except SpecError as error:
        message = str(error)
    assert message.isprintable()
    assert not message or message.startswith(f"{file}: ")


def test_a_fingerprint_holds_what_affects_results_and_nothing_else() -> None:
    names = ["a", "b", "c"]
    spec = make_spec(names, options={"board": "white"})
    same = msgspec.structs.replace(
        make_spec([None, None, None], options={"board": "white"}), name="other", concurrency=7, deals=99
    )
    assert fingerprint(spec, names) == fingerprint(same, names)
    assert msgspec.json.decode(msgspec.json.encode(fingerprint(spec, names))) == fingerprint(spec, names)
    changes = {"game": "g", "seats": 2, "seed": "t", "seating": "rotations", "on_forfeit": "end",
               "options": {}, "clock": Clock(move_ms=5)}  # fmt: skip
    for key, value in changes.items():
        changed = msgspec.structs.replace(spec, **{key: value})
        lines = differences(fingerprint(spec, names), fingerprint(changed, names))
        assert len(lines) == 1
        assert lines[0].startswith(key)


def test_differences_name_each_key_with_both_values() -> None:
    old = {"seats": 3, "clock": {"move_ms": 5, "bank_ms": 1}, "options": {"board": "white"}}
    new = {"seats": 4, "clock": {"move_ms": 6, "bank_ms": 1}, "options": {}}
    assert differences(old, old) == []
    assert differences(old, new) == [
        "clock.move_ms: was 5, now 6",
        'options.board: was "white", now absent',
        "seats: was 3, now 4",
    ]


def test_the_specs_that_come_with_the_package_are_good() -> None:
    folder = Path(__file__).parent.parent / "tournaments/specs"
    specs = {file.stem: read_spec(file) for file in folder.glob("*.toml")}
    assert set(specs) == {"quickstart", "duel", "cat_box"}
    assert [bot.path.name for bot in specs["quickstart"].bots] == ["random", "cautious", "counter", "sampler"]
    assert (specs["quickstart"].seats, specs["quickstart"].deals) == (3, 12)
    assert {bot.path.parent for spec in specs.values() for bot in spec.bots} == {
        Path(os.path.realpath(folder.parent.parent / "sample_bots/python"))
    }

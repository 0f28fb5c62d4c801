"""A game at the terminal, with a person who is a script."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.person import choose, shown
from tests.conftest import write_bot

LABELS = ["2 blue", "5 blue", "5 green", "6 green"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("5 blue", ["5 blue"]),
        ("blue 5", ["5 blue"]),
        ("5b", ["5 blue"]),
        ("g6", ["6 green"]),
        ("2", ["2 blue"]),
        ("5", ["5 blue", "5 green"]),
        ("green", ["5 green", "6 green"]),
        ("7", []),
        ("5 5", []),
        ("?", []),
        ("", []),
    ],
)
def test_a_person_may_type_any_part_of_a_move_that_tells_it_apart(text: str, meant: list[str]) -> None:
    assert [LABELS[index] for index in choose(text, LABELS)] == meant


PLACES = ["place 17 at 2 -1", "place 17 at -1 2", "place 2 at 17 -1", "stack 17 at 2 -1", "fish 17", "end"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("place 17 at 2 -1", ["place 17 at 2 -1"]),
        ("p 17 2 -1", ["place 17 at 2 -1"]),
        ("17 2 -1", ["place 17 at 2 -1", "stack 17 at 2 -1"]),
        ("17 2 -1 stack", ["stack 17 at 2 -1"]),
        ("p 17 -1 2", ["place 17 at -1 2"]),
        ("p 17 −1 2", ["place 17 at -1 2"]),
        ("p 17 - 1 2", []),
        ("p 2 17 -1", ["place 2 at 17 -1"]),
        ("p 17 1 2", []),
        ("2-1 p17", []),
        ("fish", ["fish 17"]),
        ("e", ["end"]),
    ],
)
def test_numbers_keep_their_order_and_their_signs(text: str, meant: list[str]) -> None:
    assert [PLACES[index] for index in choose(text, PLACES)] == meant


def test_a_long_list_is_told_by_the_first_move_of_each_kind() -> None:
    labels = [f"place {card} at 0 0" for card in range(70)] + ["end"]
    assert shown(labels) == "place 0 at 0 0 (70 such), end"
    assert shown(labels[-3:]) == "place 68 at 0 0, place 69 at 0 0, end"


def start_play(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "arena", "play", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_prompt(process: "subprocess.Popen[str]") -> str:
    """What is printed up to the next prompt, or to the end."""
    assert process.stdout is not None
    seen = ""
    while not re.search(r"^seat \d> $", seen, re.MULTILINE):
        char = process.stdout.read(1)
        if not char:
            break
        seen += char
    return seen


@pytest.mark.parametrize("others", [["random"], ["random", "random"], ["human", "random", "random"]])
def test_a_script_plays_a_whole_game_from_what_it_is_shown(others: list[str], tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    process = start_play("human", *others, "--seed", "script", "--output", str(record))
    assert process.stdin is not None
    decisions = 0
    shown = read_prompt(process)
    while "> " in shown[-3:]:
        process.stdin.write("?\n")
        process.stdin.flush()
        (offered,) = re.findall(r"^(?:seat \d> )?one of: (.*)$", read_prompt(process), re.MULTILINE)
        process.stdin.write(offered.split(", ")[decisions % len(offered.split(", "))] + "\n")
        process.stdin.flush()
        decisions += 1
        shown = read_prompt(process)
    _, err = process.communicate()
    assert process.returncode == 0, err
    people = 1 + others.count("human")
    assert decisions >= 2 * people
    assert re.search(r"^1\. seat \d \(\w+\), -?\d+ points$", shown, re.MULTILINE)
    checked = subprocess.run(
        [sys.executable, "-m", "arena", "verify", record], capture_output=True, text=True, check=False
    )
    assert checked.stdout == "1 games verified\n"


def test_a_person_sees_the_own_hand_board_tricks_and_bids_and_no_other_hand() -> None:
    process = start_play("human", "random", "random", "--seed", "script")
    shown = read_prompt(process)
    process.kill()
    process.communicate()
    assert shown.count("Hand of") == 1
    for word in ("red", "blue", "yellow", "green", "bid", "tricks", "Round 1 of 3"):
        assert word in shown


def test_the_same_seed_deals_the_same_cards() -> None:
    def hand() -> list[str]:
        process = start_play("human", "random", "--seed", "7")
        shown = read_prompt(process)
        process.kill()
        process.communicate()
        return re.findall(r"Hand of.*", shown)

    assert hand() == hand() != []


def test_q_and_the_end_of_the_input_end_the_game() -> None:
    for text in ("q\n", ""):
        process = start_play("human", "random")
        process.communicate(text)
        assert process.returncode == 130


def test_bots_among_themselves_play_to_the_end() -> None:
    process = start_play("random", "random", "random", "random")
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert len(re.findall(r"^\d\. seat", out, re.MULTILINE)) == 4
    assert "seat 2 (random): has chosen" in out


def test_different_bots_of_one_name_play_under_two_names(tmp_path: Path) -> None:
    for folder in ("p", "q"):
        write_bot(tmp_path / folder, "well")
        manifest = tmp_path / folder / "bot.toml"
        manifest.write_text(manifest.read_text().replace(f'name = "{folder}"', 'name = "human"'))
    process = start_play(str(tmp_path / "p"), str(tmp_path / "q"), str(tmp_path / "p"))
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert {f"({name})" for name in re.findall(r"seat \d \((\w+)\)", out)} == {"(human2)", "(human3)"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["human"], "2 to 5 players"),
        (["human"] * 6, "2 to 5 players"),
        (["human", "nobody"], "nobody: expected a bot's folder"),
        (["random", "random", "--game", "chess"], "--game: expected one of cat_in_the_box"),
        (["random", "random", "--option", "board"], "KEY=VALUE"),
        (["random", "random", "--option", "board=purple"], "--option board: 2 players"),
    ],
)
def test_what_cannot_be_played_is_one_line(arguments: list[str], said: str) -> None:
    process = start_play(*arguments)
    out, err = process.communicate()
    assert (process.returncode, out, err.count("\n")) == (3, "", 1)
    assert said in err

"""The save format as a model; `interpreter/play/saves/save.schema.json` is generated from it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from interpreter.runtime.chance import MAX_SEED


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SavedMove(_Part):
    """One decision."""

    player: Annotated[str, Field(description="the seat that decided")]
    move: Annotated[str, Field(description="the move as examples and players write it")]


class SavedNote(_Part):
    """An event outside the rules: an undo, a game revealed, another player, changed rules, a branch."""

    ply: Annotated[int, Field(ge=0, description="number of decisions made; after an undo, of those that remained")]
    kind: Literal["undo", "opened", "seat", "rules", "branch"]
    player: Annotated[str | None, Field(description="the seat it came from")]
    text: Annotated[str, Field(description="as shown in the log of every seat")]
    agreed: Annotated[tuple[str, ...], Field(description="the seats that agreed to an undo")] = ()
    moves: Annotated[tuple[SavedMove, ...], Field(description="the moves an undo took back")] = ()


class SavedProgress(_Part):
    """How far the game has come, for lists of saves."""

    decisions: Annotated[int, Field(ge=0, description="number of decisions that every seat knows of")]
    over: bool
    result: Annotated[str, Field(description="who has won, in the words of the rules file, once the game is over")] = ""


class SaveFile(_Part):
    """A saved game."""

    model_config = ConfigDict(frozen=True, extra="forbid", title="Regelwerk save")

    format: Literal["regelwerk save"]
    format_version: Literal[2]
    warning: str
    game: Annotated[str, Field(description="name of the game")]
    title: str
    path: Annotated[
        str, Field(description="path of the rules file; a hint: if the file is gone, the game is found by its name")
    ]
    board: Annotated[str | None, Field(description="path of the player's own board file, if one was used; a hint")] = (
        None
    )
    variants: Annotated[tuple[str, ...], Field(description="paths of the files of the applied variants; hints")] = ()
    rules_hash: Annotated[
        str, Field(description="hash of the rules as they were resolved, with their board and variants")
    ]
    rules: Annotated[
        str | None,
        Field(
            description="the texts of the rules: JSON, compressed by zlib, in base64; saves of old versions have none"
        ),
    ] = None
    given: Annotated[
        str | None,
        Field(description="the position in which the game began, as lines of an example; none if with its setup"),
    ] = None
    options: Annotated[dict[str, str], Field(description="every option with its value")]
    players: Annotated[tuple[str, ...], Field(min_length=1, description="the seats in the game, in their order")]
    seats: Annotated[dict[str, str], Field(description="who plays each seat: human, or a bot: random, mcts:1000")]
    seed: Annotated[
        int, Field(gt=-MAX_SEED, lt=MAX_SEED, description="seed of the game; the moves of bots follow from it")
    ]
    chance_from: Annotated[
        Literal["seed", "supplied"], Field(description="whether chance came from the seed or was supplied from outside")
    ]
    progress: Annotated[
        SavedProgress, Field(description="for lists of saves; follows from the moves, so nothing else reads it")
    ]
    versions: Annotated[dict[str, str], Field(description="versions of the software that wrote the save")]
    moves: tuple[SavedMove, ...]
    failing: Annotated[
        str | None,
        Field(description="the move of the next decision in which a rule failed, if that is why it ends here"),
    ] = None
    chance: Annotated[tuple[object, ...], Field(description="the results of chance, in order")]
    notes: tuple[SavedNote, ...] = ()
    checksum: Annotated[
        str,
        Field(
            pattern="^sha256:[0-9a-f]{64}$",
            description="SHA-256 of the rest, as JSON with sorted keys, no whitespace, in UTF-8",
        ),
    ]


def schema() -> dict[str, JsonValue]:
    """The JSON Schema of a save."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **SaveFile.model_json_schema()}

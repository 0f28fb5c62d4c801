"""JSON Schema of every message, from the structs. `python -m protocol.json_schema` prints it."""

import json
import sys
from inspect import cleandoc
from typing import Any

from msgspec.json import schema_components

from protocol.messages import BotMessage, RefereeMessage

__all__ = ["messages_schema", "schema_text"]


def messages_schema() -> dict[str, Any]:
    """One schema for both directions; `#/$defs/BotMessage` and `#/$defs/RefereeMessage` are one each."""
    unions, definitions = schema_components([BotMessage, RefereeMessage], ref_template="#/$defs/{name}")
    for definition in definitions.values():
        definition["description"] = cleandoc(definition["description"])
    directions = dict(zip(("BotMessage", "RefereeMessage"), unions, strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages between the arena and its bots",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in directions],
        "$defs": directions | definitions,
    }


def schema_text() -> str:
    """The schema as it stands in schema/messages.json."""
    return json.dumps(messages_schema(), indent=2) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())

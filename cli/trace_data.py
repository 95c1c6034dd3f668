"""The trace of a game as plain data, for programs and for the standalone page."""

from __future__ import annotations

from interpreter.play.trace import Event, Level, Timeline, outline


def document(timeline: Timeline, since: int, level: Level) -> dict[str, object]:
    """The events of a level from a segment on, with the game they belong to."""
    game = timeline.game
    events = [
        {"ply": position.ply, "number": position.event, **event_data(depth, event)}
        for depth, position, event in outline(timeline.all_events(since), level)
    ]
    return {
        "game": game.name,
        "players": list(game.seats),
        "options": dict(game.options),
        "as": timeline.as_seat,
        "level": level,
        "plies": timeline.plies,
        "events": events,
    }


def event_data(depth: int, event: Event) -> dict[str, object]:
    """One event as plain data."""
    return {
        "depth": depth,
        "kind": event.kind,
        "text": event.text,
        "seat": event.seat,
        "place": event.location,
        "cites": list(event.cites),
        "values": [{"name": name, "value": value} for name, value in event.values],
        "what": list(event.what),
        "verdict": event.verdict,
    }

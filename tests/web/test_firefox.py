"""The pages in Firefox: from the lobby to the end of a game, by clicks and by keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.conftest import Server
from tests.web.firefox import found_firefox, opened_firefox

IS_OVER = "document.querySelector('#step .ranking')"
CAN_DECIDE = "document.querySelector('#step button')"


def test_a_game_is_played_from_the_lobby_to_its_end(server: Server, tmp_path: Path) -> None:
    path = found_firefox()
    if path is None:
        pytest.skip("there is no Firefox here to open the pages in")
    with opened_firefox(path, tmp_path) as tab:
        tab.open(server.address)
        tab.until("document.querySelectorAll('#games button').length > 10")
        tab.ask(
            "[...document.querySelectorAll('#games button')].find(each => each.innerText.startsWith('Nim')).click()"
        )
        tab.until("document.querySelector('#setup:not([hidden])')")
        tab.ask("document.querySelector('[id^=kind-]:not(#kind-ann)').value = 'random'")
        tab.ask("document.querySelector('#submit').click()")
        for _ in range(60):
            tab.until(f"{CAN_DECIDE} || {IS_OVER}")
            if tab.ask(f"Boolean({IS_OVER})"):
                break
            before = tab.ask("document.querySelector('#question').innerText")
            tab.press("1")
            tab.until(f"{IS_OVER} || document.querySelector('#question').innerText !== {before!r}")
            if tab.ask("Boolean(document.querySelector('#step button.main'))"):
                tab.ask("document.querySelector('#step button.main').click()")
                tab.until("!document.querySelector('#step button.main')")
        assert tab.ask(f"Boolean({IS_OVER})")
        assert tab.faults == []

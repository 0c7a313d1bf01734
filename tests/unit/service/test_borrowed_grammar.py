"""Lines as prompts for other tools write them mean here what they mean there."""

import pytest

from boathook.commands import catalogue
from boathook.errors import BadRequest
from boathook.service.command_line import read_line, table_of

TABLE = table_of(catalogue())


@pytest.mark.parametrize(
    ("line", "name", "arguments"),
    [
        ("snapshot -i", "snapshot", {"mode": "interactive"}),
        ("snapshot -c", "snapshot", {"mode": "compact"}),
        ("snapshot -i -c", "snapshot", {"mode": "interactive"}),
        ("snapshot -c -i", "snapshot", {"mode": "interactive"}),
        ("snapshot -ic", "snapshot", {"mode": "interactive"}),
        ("snapshot --interactive --compact", "snapshot", {"mode": "interactive"}),
        (
            "snapshot -i -d 5 -s #main -u",
            "snapshot",
            {"mode": "interactive", "depth": 5, "root": "#main", "urls": True},
        ),
        (
            "snapshot --selector #main --depth 2 --urls",
            "snapshot",
            {"root": "#main", "depth": 2, "urls": True},
        ),
        ("snapshot -i --delta", "snapshot", {"mode": "interactive", "since": -1}),
        ("eval --stdin", "evaluate", {"script": "-"}),
        ("download @e3 report.pdf", "download", {"target": "@e3", "path": "report.pdf"}),
        ("state clear -a", "state_clear", {"all": True}),
        ("state clean --older-than 7", "state_clean", {"older_than": 7.0}),
        ("get cdp-url", "get_cdp_url", {}),
        ("session id", "session_id", {}),
    ],
)
def test_a_line_is_read_as_it_is_meant(line, name, arguments):
    read = read_line(line.split(), TABLE)
    assert (read.command.name, read.arguments) == (name, arguments)


@pytest.mark.parametrize("line", ["snapshot -z", "snapshot -d deep", "state rename one", "download", "eval"])
def test_what_is_not_understood_is_a_typed_error(line):
    with pytest.raises(BadRequest):
        read_line(line.split(), TABLE)

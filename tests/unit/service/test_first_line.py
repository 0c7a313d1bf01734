"""The first line of a daemon is parsed with the first family of commands only, and means the same as with all of them."""

import subprocess
import sys

import pytest

from boathook.commands import catalogue, load_family
from boathook.service.host import FIRST_FAMILY
from boathook.service.input.command_line import read_line, table_of

FIRST = table_of(load_family(FIRST_FAMILY))
LOADED = """
import sys
from boathook.presentation.rendering import as_text, has_own_lines
from boathook.service.host import Host
host = Host.__new__(Host)
read = host._read_line(["open", "example.org"])
print(read.command.name, "boathook.commands.input.act" in sys.modules, "boathook.presentation.families.states" in sys.modules)
from boathook.engine.actions.uploads import Uploaded
print(has_own_lines(Uploaded(way="input", names=(), sizes=())), "boathook.presentation.families.states" in sys.modules)
"""


def test_no_other_command_begins_with_the_words_of_the_first_family():
    everything = table_of(catalogue())
    for words, command in FIRST.items():
        assert everything[words] is command
    begins = {words[0] for words in FIRST}
    assert {words for words in everything if words[0] in begins} == set(FIRST)


@pytest.mark.parametrize(
    "line", ["open example.org", "goto example.org --wait-until load", "back", "reload --timeout 3"]
)
def test_a_line_of_the_first_family_means_the_same(line):
    few, all_of_them = (read_line(line.split(), table) for table in (FIRST, table_of(catalogue())))
    assert few == all_of_them


def test_other_commands_and_renderers_are_loaded_when_they_are_needed():
    found = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=False)
    assert found.stdout.splitlines()[0] == "goto False False", found.stderr
    assert found.stdout.splitlines()[1].endswith(" True")

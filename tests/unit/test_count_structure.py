"""The counts of structure: each counts the right things and nothing else."""

import ast

import pytest

from tools.count_structure import count, is_acting_participle, main

TABLES = """
@command(group="act")
async def get_text(tab): ...
@command(group="act")
async def set_text(tab): ...
@command(group="act")
async def get_box(tab): ...
READS = {"get_text": 1, "set_text": 2, "get_box": 3}
def guard(headers, command): return b"sec-fetch-site" in headers or command.name == "get_box"
"""


def function(text):
    return ast.parse(text).body[0]


@pytest.mark.parametrize(
    "text",
    [
        "async def _removed(path):\n    return path",
        "def gathered(tabs):\n    tabs.clear()",
        "def _kept(path):\n    open(path)\n    return path",
        "async def told():\n    await sleep()",
        "def page_closed():\n    log()",
    ],
)
def test_a_function_that_acts_under_a_participle_is_counted(text):
    assert is_acting_participle(function(text))


@pytest.mark.parametrize(
    "text",
    [
        "def _shortened(text):\n    return text[:3]",
        "@property\ndef closed():\n    log()",
        "async def remove_path(path):\n    return path",
        "async def is_closed():\n    return 1",
        "def mark_crashed():\n    log()",
        "def _on_closed():\n    log()",
        "def data_received(data):\n    log()",
        "async def read_page():\n    return 1",
        "async def feed(data):\n    return data",
        "async def set_viewport():\n    return 1",
    ],
)
def test_values_properties_verbs_and_handlers_are_not(text):
    assert not is_acting_participle(function(text))


@pytest.fixture
def checkout(tmp_path):
    """A small checkout with one of everything."""
    for folder in ("src/a", "src/b", "tests", "extension", "tools"):
        (tmp_path / folder).mkdir(parents=True)
    for number in range(13):
        (tmp_path / "src/a" / f"m{number}.py").write_text("")
    for number in range(21):
        (tmp_path / "extension" / f"f{number}.js").write_text("")
    (tmp_path / "src/a/__init__.py").write_text("")
    (tmp_path / "src/b/m1.py").write_text(
        "class Same:\n    pass\n\n\nasync def removed():\n    pass\n\n\nasync def mark_closed():\n    pass\n"
    )
    (tmp_path / "src/b/other.py").write_text("class Same:\n    pass\n\n\nclass Different:\n    pass\n")
    (tmp_path / "tests/test_it.py").write_text(
        "found = [one for one in range(3)]\n\n\ndef _():\n    for one, _ in []:\n        pass\n"
    )
    return tmp_path


def test_everything_is_counted_once(checkout):
    assert dict(count(checkout).rows()) == {
        "folders in src with over 12 files in one level": 1,
        "folders in src with over 20 files in one level": 0,
        "folders in tests with over 12 files in one level": 0,
        "folders in tests with over 20 files in one level": 0,
        "folders in extension with over 12 files in one level": 1,
        "folders in extension with over 20 files in one level": 1,
        "module names used more than once": 1,
        "class names used more than once": 1,
        "acting participles": 1,
        "acting participles that are let pass": 1,
        "loops over `one`": 2,
        "functions called `_`": 1,
        "banned phrases": 0,
        "facts without a flip test": 0,
        "tables by command name": 0,
        "copies of the guard": 0,
    }
    (checkout / "src/tables.py").write_text(TABLES)
    counted = dict(count(checkout).rows())
    assert (counted["tables by command name"], counted["copies of the guard"]) == (2, 1)


def test_the_table_of_another_checkout_is_printed(checkout, capsys):
    assert main(["--path", str(checkout), "--list"]) == 0
    said = capsys.readouterr().out
    assert "    1  acting participles" in said
    assert "src/b/m1.py:5: removed" in said
    assert "src/b/m1.py:9: mark_closed begins with a verb" in said
    assert "Same: src/b/m1.py, src/b/other.py" in said

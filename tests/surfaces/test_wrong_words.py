"""Words that are wrong, in the wrong place or only unusual: they do what is meant, or nothing."""

import json
import os
import time

import pytest

from boathook.agent_browser_compat import OTHER_WORDS
from boathook.commands import catalogue
from boathook.errors import BoathookError
from boathook.presentation.help import THIS_PROGRAM
from boathook.service.input.command_line import read_line, table_of

PAGE = """<input id=s aria-label=Search><label>Country <select id=c>
<option value=de>Germany<option value=fr>France</select></label>
<button onclick="document.title='modal'">Open modal</button><button onclick="document.title='order'">Open order</button>
<button id=through style="pointer-events: none">Through</button><p class=x>One</p><p class=x>Two</p><p class=x hidden>Three</p>
<a id=broken href=/broken>Report</a><a id=missing download href=/missing.txt>Missing</a><a id=page href=/other>Page</a>"""


class Desk:
    """A session with the page, as the daemon answers it."""

    def __init__(self, program):
        self.program = program

    def __call__(self, *argv):
        return self.program.ask(*argv)

    def json(self, *argv):
        return json.loads(self.program.ask("--json", *argv).out)


@pytest.fixture(scope="module")
def program(_worker_program, tmp_path_factory):
    """One project for all tests of this file."""
    made = _worker_program.in_folder(tmp_path_factory.mktemp("desk"))
    yield made
    made.close_sessions(but="kept")


@pytest.fixture
def desk(program, site):
    assert program.ask("open", site.page(PAGE, title="Desk")).exit == 0
    return Desk(program)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (("fill", "#s", "two", "words"), "two words"),
        (("fill", "#s", "--flag"), "--flag"),
        (("fill", "#s", "-x"), "-x"),
        (("fill", "#s", "--", "--timeout"), "--timeout"),
        (("fill", "#s", "a", "--timeout", "3"), "a"),
        (("type", "#s", "two", "--words"), "two --words"),
        (("find", "label", "Search", "fill", "two", "--words"), "two --words"),
    ],
)
def test_the_rest_of_the_line_is_the_text(desk, line, value):
    done = desk(*line)
    assert done.exit == 0, done.err
    assert desk("get", "value", "#s").out == f"{value}\n"


def test_keyboard_type_takes_the_rest_of_the_line_too(desk):
    desk("focus", "#s")
    assert desk("keyboard", "type", "two", "--words").exit == 0
    assert desk("get", "value", "#s").out == "two --words\n"


def test_a_word_that_is_almost_a_flag_is_not_typed(desk):
    done = desk("fill", "#s", "hello", "--timout", "3")
    assert done.exit == 2
    assert "did you mean --timeout?" in done.err
    assert desk("get", "value", "#s").out == "\n", "nothing was typed"


def test_a_ref_may_be_written_as_in_other_tools(desk):
    ref = desk("snapshot").out.split('button "Open order" @e')[1].split()[0]
    for spelling in (f"ref=e{ref}", f"ref=@e{ref}"):
        desk("eval", "document.title = 'Desk'")
        assert desk("click", spelling).exit == 0
        assert desk("get", "title").out == "order\n"


def test_no_word_of_a_name_is_dropped(desk):
    done = desk("find", "role", "button", "click", "--name", "Open", "order")
    assert done.exit == 2
    assert "--name 'Open order'" in done.err
    assert desk("get", "title").out == "Desk\n", "nothing was clicked"


def test_first_last_nth_and_count_count_the_same_matches(desk):
    assert desk("get", "count", ".x").out == "3\n"
    assert [desk("find", "nth", str(n), ".x", "text").out for n in range(3)] == ["One\n", "Two\n", "Three\n"]
    assert desk("find", "first", ".x", "text").out == "One\n"
    assert desk("find", "last", ".x", "text").out == "Three\n"
    hidden = desk("find", "last", ".x", "click", "--timeout", "0.5")
    assert "is hidden" in hidden.err
    assert hidden.exit == 4
    beyond = desk("find", "nth", "3", ".x", "text", "--timeout", "0.5")
    assert "3 elements found (1 hidden)" in beyond.err


def test_a_select_has_its_value_and_is_chosen_from_by_find(desk):
    assert desk("find", "label", "Country", "select", "France").exit == 0
    assert desk("get", "value", "#c").out == "fr\n"
    assert desk.json("select", "#c", "Germany")["data"]["selected"] == ["de"]


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        ("({a: null, b: [], c: [1], d: {}})", '{"a": null, "b": [], "c": [1], "d": {}}'),
        ("null", "null"),
        ("[]", "[]"),
        ("'true'", '"true"'),
        ("true", "true"),
        ("'two\\nlines'", '"two\\nlines"'),
    ],
)
def test_eval_prints_one_json_value(desk, script, printed):
    assert desk("eval", script).out == f"{printed}\n"


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ("document.nowhere.length", "1:18"),
        ("const a = 1;\na.b.c", "2:5"),
        ("() => {\n  throw new Error('mine')\n}", "2:9"),
        ("1 +\n+ )", "2:3"),
    ],
)
def test_an_error_of_eval_names_the_place_in_the_callers_script(desk, script, place):
    done = desk("eval", script)
    assert done.exit == 6
    assert f"at {place} (" in done.err
    assert "<anonymous>" not in done.err


def test_a_failed_batch_fails_as_its_step_does(desk):
    told = desk.json("batch", "get title", "click @e99999", "get title")
    assert (told["ok"], told["category"]) == (False, "stale-ref")
    assert (told["error"]["code"], told["error"]["step"]) == ("stale_ref", 2)
    assert [step["ok"] for step in told["data"]] == [True, False, True]
    assert desk("batch", "get title", "click @e99999").exit == 4
    assert desk("batch", "get title").exit == 0


def test_a_batch_may_say_that_it_reads_standard_input(program, desk):
    given = '[["get", "title"]]'
    assert program.ask("batch", "--stdin", stdin=given).out == program.ask("batch", stdin=given).out
    assert program.ask("batch", "get title", "--stdin", stdin=given).exit == 2


def test_a_timeout_is_for_all_steps_of_a_batch(desk):
    began = time.monotonic()
    told = desk.json("--timeout", "0.5", "batch", "get title", "wait 20", "get title")
    assert time.monotonic() - began < 10
    assert [step["status"] for step in told["data"]] == ["completed", "failed", "pending"]
    assert told["category"] == "timeout"


@pytest.mark.parametrize("seconds", ["0.2", "0.5"])
def test_nothing_found_is_said_so_with_any_timeout(desk, seconds):
    assert desk.json("click", "#nothere", "--timeout", seconds)["error"]["code"] == "target_not_found"


def test_a_ref_that_is_not_of_this_session_is_stale(desk, program):
    assert desk.json("click", "@e99999")["category"] == "stale-ref"
    assert desk.json("wait", "@e99999", "--timeout", "1")["category"] == "stale-ref"


def test_an_element_without_pointer_events_is_not_called_invisible(desk):
    told = desk.json("click", "#through", "--timeout", "0.5")
    assert told["error"]["code"] == "ignores_pointer"


def test_goto_without_a_url_is_refused_and_open_is_not(desk):
    assert desk("goto").exit == 2
    assert desk("get", "title").out == "Desk\n"
    assert desk("open").exit == 0


def test_tabs_are_listed_with_title_and_the_current_one_is_marked(program, site):
    desk = Desk(program)
    desk("--fresh", "open", site.page("x", title="Desk"))
    desk("tab", "new", site.page("x", title="Other"))
    lines = desk("tab").out.splitlines()
    assert [line.partition('"')[2] for line in lines] == ['Desk"', 'Other" (current)']
    assert [entry["active"] for entry in desk.json("tab", "list")["data"]] == [False, True]


def test_a_cookie_is_one_line(desk):
    desk("cookies", "clear")
    desk("cookies", "set", "theme", "dark")
    desk("cookies", "set", "mode", "x", "--expires", "4102444800")
    lines = desk("cookies").out.splitlines()
    assert len(lines) == 2
    assert any(line.startswith("theme=") and "Domain=127.0.0.1" in line for line in lines)
    assert "dark" not in "".join(lines)


def test_an_annotated_screenshot_has_a_legend(desk):
    done = desk("screenshot", "--annotate", "page.png")
    ref = desk("snapshot").out.split('button "Open order" @e')[1].split()[0]
    assert f'[{ref}] @e{ref} button "Open order"' in done.out.splitlines()
    told = desk.json("screenshot", "--annotate", "page.png")["data"]["annotations"]
    assert {"number": int(ref), "ref": f"@e{ref}", "element": 'button "Open order"'} in told


def test_a_new_session_says_where_the_others_are(desk, program, site, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    other = program.in_folder(tmp_path / "elsewhere")
    said = other.ask("get", "url")
    assert said.out == "about:blank\n"
    assert f"the session of {program.work} is at {site.origin}" in said.err
    name = said.err.partition("--session ")[2].split()[0]
    assert other.ask("--session", name, "get", "title").out == "Desk\n"
    assert "is at" not in other.ask("get", "url").err, "it is said once"


def test_opening_a_page_in_a_new_session_needs_no_note(desk, program, site):
    assert "is at" not in program.ask("--session", "fresh", "open", site.page("x")).err
    program.ask("session", "close", "--name", "fresh")


def test_help_may_follow_settings(program):
    assert program.ask("--session", "x", "--help").out == program.ask("--help").out != ""


def test_help_for_the_first_word_of_commands_lists_them(program):
    for line in (("get", "--help"), ("help", "get"), ("network", "--help")):
        answer = program.ask(*line)
        assert answer.exit == 0, answer.err
    assert "get text" in program.ask("get", "--help").out
    assert program.ask("gte", "--help").exit == 2


@pytest.mark.parametrize(("word", "line"), OTHER_WORDS.items())
def test_a_word_of_other_programs_is_answered_with_a_command(word, line):
    table = table_of(catalogue())
    assert line.startswith("--") or line.split()[0] in {key[0] for key in table}
    with pytest.raises(BoathookError) as error:
        read_line([word], table)
    assert f"did you mean {line}?" in error.value.hint or word in THIS_PROGRAM


def test_colors_may_be_forced(program):
    assert (
        program.ask("--color", "always", "clik").err == f"\x1b[31merror:\x1b[0m{program.ask('clik').err[6:]}"
    )
    unknown = "@e99999999"  # small refs may exist: sessions of the shared daemon have pages by now
    assert "\x1b[31merror:" in program.ask("--color", "always", "click", unknown).err
    plain = program.ask("click", unknown).err
    assert "error:" in plain
    assert "\x1b" not in plain


def test_flags_that_switch_something_off_say_so(program):
    assert "do not fold" in program.ask("snapshot", "--help").out
    assert "--headers <json>" in program.ask("emulate", "--help").out
    assert "for .)" not in program.ask("wait", "--help").out


@pytest.mark.parametrize("target", ["#broken", "#missing", "#page"])
def test_a_download_that_fails_is_not_a_timeout(desk, target):
    told = desk.json("download", target, "--timeout", "2")
    assert told["error"]["code"] == "page_error", told["error"]["message"]


def test_text_that_is_not_valid_is_refused_before_anything_is_done(desk):
    broken = os.fsdecode(b"a\xffb")
    for line in (("fill", "#i", broken), ("click", f"text={broken}"), ("eval", f"'{broken}'")):
        done = desk(*line)
        assert "valid UTF-8 text" in done.err, done.err
        assert done.exit == 2

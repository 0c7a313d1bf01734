"""Which of several matches is meant, in which frame, and which tab is used after an action: settings of a call."""

import pytest

pytestmark = pytest.mark.shared_daemon
TWO = "<p class=a hidden>first</p><p class=a>second</p><p class=a>third</p>"
FRAMED = "<input id=f value=outer><iframe id=in name=in srcdoc='<input id=f value=inner><button>Go</button>'></iframe>"


def out(program, *argv):
    done = program(*argv)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_first_match_is_taken_only_if_the_call_says_so(program, site):
    program("open", site.page(TWO))
    assert "ambiguous" in program("get", "text", ".a").stderr
    assert out(program, "--matches", "first", "get", "text", ".a") == "first"
    assert out(program, "get", "html", ".a", "--nth", "0", "--inner") in {"first", "second"}


def test_commands_are_limited_to_a_frame_until_another_document(program, site):
    page = site.page(FRAMED)
    program("open", page)
    assert out(program, "get", "count", "#f") == "2"
    out(program, "frame", "#in", "--enter")
    assert out(program, "get", "value", "#f") == "inner"
    assert "outer" not in out(program, "snapshot")
    out(program, "frame", "main")
    assert out(program, "get", "count", "#f") == "2"
    out(program, "frame", "in", "--enter")
    assert out(program, "get", "count", "#f") == "1"
    program("open", page)
    assert out(program, "get", "count", "#f") == "2"


def test_cells_have_refs_only_if_the_call_says_so(program, site):
    program("open", site.page("<table><tr><th>Name</th></tr><tr><td>Rope</td></tr></table>"))
    assert 'cell "Rope"\n' in out(program, "snapshot", "--mode", "full") + "\n"
    assert 'cell "Rope" @e' in out(program, "snapshot", "--mode", "full", "--content-refs")


def test_a_tab_that_an_action_opens_is_used_only_if_the_call_says_so(program, site):
    page = site.page("<a href='?other' target=_blank>Open</a>")
    program("open", page)
    program("click", "text=Open")
    assert out(program, "get", "url") == page
    program("--follow-tabs", "click", "text=Open")
    assert out(program, "get", "url").endswith("?other")


def test_a_select_has_a_raw_value_and_what_does_not_exist_may_be_an_error(program, site):
    program("open", site.page("<select><option value=g>Green</option></select>"))
    assert out(program, "get", "value", "select", "--raw") == "g"
    assert out(program, "is", "visible", "#nope") == "false"
    assert "nothing on the page matches" in program("is", "visible", "#nope", "--must-exist").stderr

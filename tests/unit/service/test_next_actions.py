"""What is advised after errors and successes."""

import pytest

from boathook import errors
from boathook.commands.results import NavigationResult
from boathook.service.output.next_actions import after_error, after_success


def ids(actions):
    return [action.id for action in actions]


@pytest.mark.parametrize(
    ("error", "first"),
    [
        (errors.StaleRef("x"), "refresh-interactive-refs"),
        (errors.TargetNotFound("x", candidates=["e3"]), "inspect-candidate-1"),
        (errors.DialogOpen("x"), "accept-dialog"),
        (errors.TabGone("x"), "list-tabs-after-tab-gone"),
        (errors.NameNotResolved("x"), "inspect-page-after-navigation-error"),
        (errors.BrowserNotFound("x"), "install-browser"),
        (errors.LaunchFailed("x"), "run-doctor"),
    ],
)
def test_errors_lead_on_by_their_type(error, first):
    assert ids(after_error(error, {}))[0] == first


def test_a_mistake_in_the_call_needs_no_advice_beyond_its_hint():
    assert after_error(errors.BadUrl("x"), {}) == ()


def test_another_launch_is_ready_to_be_sent():
    error = errors.LaunchConflict("x", argv=("--fresh", "--headed", "open"))
    assert after_error(error, {})[0].argv == ("--fresh", "--headed", "open")


def test_advice_stays_in_the_session_and_tab_of_the_call():
    (look,) = after_success(NavigationResult(url="http://x/"), {"session": "shop", "tab": "t2"})
    assert look.argv == ("--session", "shop", "--tab", "t2", "snapshot")
    (look,) = after_success(NavigationResult(url="http://x/"), {"session": "default"})
    assert look.argv == ("snapshot",)

"""What is advised after errors and successes."""

import pytest

from boathook import errors
from boathook.commands import catalogue
from boathook.commands.results import NavigationResult
from boathook.service.diagnostics.action_ids import ACTS, READS
from boathook.service.diagnostics.next_actions import after_error, after_success


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
        (errors.LaunchFailed("x"), "run-agent-browser-doctor"),
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


@pytest.mark.parametrize(
    ("error", "offered"),
    [
        (
            errors.NotReceived("x", ref="@e4"),
            [
                "inspect-click-dispatch-miss",
                "scroll-target-into-view-after-dispatch-miss",
                "retry-click-after-dispatch-miss",
            ],
        ),
        (errors.TabGone("x"), ["list-tabs-after-tab-gone", "open-tab-after-tab-gone"]),
        (errors.ProfileInUse("x"), ["inspect-browser-profiles", "run-agent-browser-doctor"]),
        (errors.ConfirmationRequired("x", confirmation="7"), ["approve-confirmation", "deny-confirmation"]),
        (errors.Covered("x", by="@e3"), ["inspect-overlay-state", "try-closing-overlay"]),
    ],
)
def test_errors_offer_calls_by_the_ids_that_programs_know(error, offered):
    click = catalogue()["click"]
    found = after_error(error, {}, command=click, arguments={"target": "#a"})
    assert ids(found) == offered
    assert all(action.safe is (action.id in READS) for action in found)


def test_a_scroll_is_offered_in_each_element_that_scrolls():
    error = errors.NotScrolled("x", scrollers=[{"ref": "@e7"}, {"ref": "@e8"}])
    arguments = {"direction": "down", "amount": 250.0}
    found = after_error(error, {}, command=catalogue()["scroll_page"], arguments=arguments)
    assert found[2].argv == ("scroll", "down", "250", "--selector", "@e8")


def test_every_id_either_reads_or_acts():
    assert READS.keys() & ACTS.keys() == set()
    assert all(reason for reason in (*READS.values(), *ACTS.values()))

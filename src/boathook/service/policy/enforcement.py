"""The one place where calls are checked against the policy: a violation raises a typed error before anything is done."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boathook.commands import catalogue
from boathook.errors import ConfirmationRequired, PolicyBlocked
from boathook.service.policy.action_rules import read_rules
from boathook.service.policy.confirmations import WAITING_SECONDS
from boathook.service.policy.decision import Ask, Deny, check_words, decide
from boathook.service.policy.policy import policy_of
from boathook.service.policy.session_guards import NO_GUARDS, Guards, guards_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.service.call import Call
    from boathook.service.policy.confirmations import Confirmations
    from boathook.service.policy.policy import Policy


def check(
    call: Call,
    arguments: Mapping[str, Any],
    *,
    session: str = "",
    guards: Guards = NO_GUARDS,
    confirmations: Confirmations | None = None,
) -> Policy:
    """The policy of a call; raises if it denies the call, or requires confirmation.

    Secrets are still references in the arguments, so that no confirmation shows them.
    """
    policy = policy_of(call.settings, surface=call.surface, folder=call.folder)
    if not call.command.closes_session:  # a session can be ended, whatever a file says or does not say
        policy = _apply_guards(policy, guards | guards_of(call.settings))
    decision = decide(policy, call.command, arguments, surface=call.surface)
    if isinstance(decision, Deny):
        raise PolicyBlocked(
            f"{call.command.cli_name}: {decision.reason}", hint=decision.hint, command=call.command.name
        )
    if not isinstance(decision, Ask):
        return policy
    name = call.command.name
    if confirmations is not None and confirmations.take(name, arguments, session=session):
        return policy
    number = confirmations.ask(call, arguments, session=session) if confirmations is not None else ""
    raise ConfirmationRequired(
        decision.reason,
        hint=f"ask the user|; once approved, within {WAITING_SECONDS:.0f} s: `confirm {number}`"
        if number
        else "ask the user to do it, or to remove it from confirm_actions",
        confirmation=number,
        command=name,
        would_do=f"{call.command.summary} {_format_arguments(call, arguments)}".strip(),
    )


def _apply_guards(policy: Policy, guards: Guards) -> Policy:
    commands = catalogue().values() if guards != NO_GUARDS else ()
    rules = tuple(read_rules(path) for path in sorted(guards.policies))
    check_words(guards.confirm, commands)
    for rule in rules:
        check_words(rule.words, commands, where=f"the action policy {rule.source}", groups=False)
    return replace(policy, confirm=guards.confirm, rules=rules)


def _format_arguments(call: Call, arguments: Mapping[str, Any]) -> str:
    """The arguments in a line, without private ones."""
    parts = [f"{name}={value!r}" for name, value in arguments.items() if name not in call.command.secrets]
    return ", ".join(parts)[:300]

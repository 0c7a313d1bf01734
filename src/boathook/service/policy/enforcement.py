"""The one place where calls are checked against the policy: a violation raises a typed error before anything is done."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.commands import catalogue
from boathook.effects import SideEffect
from boathook.errors import BadSetting, ConfirmationRequired, PolicyBlocked
from boathook.service.input.configuration import user_file
from boathook.service.input.configuration_file import read_file
from boathook.service.input.locked_policy import NOT_LOCKED, LockedPolicy, locked_policy
from boathook.service.policy.action_rules import read_rules
from boathook.service.policy.confirmation_scene import describe
from boathook.service.policy.confirmations import WAITING_SECONDS
from boathook.service.policy.decision import Ask, Deny, check_words, decide
from boathook.service.policy.policy import LIMITS, policy_of, usual_roots
from boathook.service.policy.session_guards import NO_GUARDS, Guards, guards_of
from boathook.service.policy.setting_rules import check_settings, effects_of_settings
from boathook.service.secrets.secret_values import runs_program

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.service.call import Call
    from boathook.service.policy.confirmation_scene import Scene
    from boathook.service.policy.confirmations import Confirmations
    from boathook.service.policy.policy import Policy


def lock_of(call: Call) -> LockedPolicy:
    """The policy files that apply to a call; BadSetting if one cannot be used, except for closing a session."""
    try:
        return locked_policy(call.environment)
    except BadSetting:
        if call.command.closes_session:
            return LockedPolicy()
        raise


def within_policy_files(call: Call) -> Call:
    """The call within the limits of policy files; how its answer is printed depends on them too."""
    return tighten_call(call, lock_of(call))


def tighten_call(call: Call, lock: LockedPolicy) -> Call:
    """The call within the limits of policy files."""
    if not lock.files:
        return call
    usual = usual_roots(call.surface, call.folder)
    roots = tuple(map(str, usual)) if usual is not None else None
    given = {"upload_roots": roots, "output_roots": roots} if roots is not None else {}
    given |= {name: value for name, value in call.settings.items() if value is not None}
    return replace(call, settings=lock.tighten(given))


def check(
    call: Call,
    arguments: Mapping[str, Any],
    *,
    guards: Guards = NO_GUARDS,
    lock: LockedPolicy = NOT_LOCKED,
) -> tuple[Policy, Ask | None]:
    """The policy of a call, and what requires confirmation; raises if it denies the call."""
    policy = policy_of(call.settings, surface=call.surface, folder=call.folder)
    # What a policy file limits holds for people too: they would otherwise leave it with a flag.
    attach = policy.attach and not (policy.host_policy.limited and lock.sources.keys() & set(LIMITS))
    policy = replace(policy, locked=lock.sources, attach=attach)
    if not call.command.closes_session:  # a session can be ended, whatever a file says or does not say
        policy = _apply_guards(policy, all_guards(call, guards=guards, lock=lock))
    if not call.command.closes_session:
        check_settings(call, arguments, policy)
    effects = effects_of_settings(call, every=bool(lock.files))
    if lock.files and runs_program(call.command, arguments, environment=call.environment):
        effects |= {SideEffect.RUNS_PROGRAM}
    decision = decide(policy, call.command, arguments, surface=call.surface, setting_effects=effects)
    if isinstance(decision, Deny):
        raise PolicyBlocked(
            f"{call.command.cli_name}: {decision.reason}", hint=decision.hint, command=call.command.name
        )
    return policy, decision if isinstance(decision, Ask) else None


def check_resolved(
    call: Call,
    arguments: Mapping[str, Any],
    resolved: Mapping[str, Any],
    *,
    guards: Guards,
    lock: LockedPolicy,
    asked: bool,
) -> None:
    """Check a call again if its secrets do more than their references show: typed line ends and tabs press keys."""
    if call.command.side_effects_of(resolved) <= call.command.side_effects_of(arguments):
        return
    _policy, ask = check(call, resolved, guards=guards, lock=lock)
    if ask is not None and not asked:
        raise PolicyBlocked(
            f"{call.command.cli_name}: {ask.reason}, since the secret contains line ends or tabs",
            command=call.command.name,
        )


def require_confirmation(
    ask: Ask,
    call: Call,
    arguments: Mapping[str, Any],
    *,
    session: str,
    scene: Scene,
    confirmations: Confirmations,
) -> dict[str, Any]:
    """The arguments of an approved call, with the elements that the user was shown; raises if it is not approved.

    Secrets are still references in the arguments, so that no confirmation shows them.
    """
    approval = confirmations.take(call, arguments, session=session, scene=scene)
    if approval == "given":
        return scene.with_refs(arguments)
    text = describe(call, arguments, scene)
    number = confirmations.ask(call, arguments, session=session, scene=scene, text=text)
    changed = "; the page has changed since it was approved" if approval == "outdated" else ""
    raise ConfirmationRequired(
        f"{ask.reason}{changed}: {text}",
        hint=f"ask the user|, who can approve it in another terminal within {WAITING_SECONDS:.0f} s: `confirm {number}`",
        confirmation=number,
        command=call.command.name,
        would_do=text,
    )


def all_guards(call: Call, *, guards: Guards, lock: LockedPolicy) -> Guards:
    """The restrictions of a call: its session's, its own, the user's and those of policy files."""
    locked = Guards(policies=lock.action_policies | _users_own_policy(call))
    return guards | guards_of(call.settings) | locked


def _users_own_policy(call: Call) -> frozenset[str]:
    """The action policy of the user's settings file, to which a call can only add another."""
    file = user_file(call.environment)
    path = read_file(file).top.get("action_policy")
    return frozenset({str(Path(file.parent, path))} if isinstance(path, str) and path else ())


def _apply_guards(policy: Policy, guards: Guards) -> Policy:
    commands = catalogue().values() if guards != NO_GUARDS else ()
    rules = tuple(read_rules(path) for path in sorted(guards.policies))
    check_words(guards.confirm, commands)
    for rule in rules:
        check_words(rule.words, commands, where=f"the action policy {rule.source}", groups=False)
    return replace(policy, confirm=guards.confirm, rules=rules)

"""Saved states and profiles as text."""

from __future__ import annotations

from boathook.engine.launch.profiles.user_profiles import UserProfile
from boathook.engine.state.state_file import SavedState
from boathook.engine.state.state_store import KeptState, StateFacts
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import as_text
from boathook.values import count_noun


@as_text.register
def _render_saved_state(value: SavedState) -> str:
    skipped = f"; skipped {', '.join(value.skipped)}" if value.skipped else ""
    sealed = ", encrypted" if value.sealed else ""
    return f"{value.path}: {count_noun(value.cookies, 'cookie')}, {count_noun(len(value.origins), 'origin')}{sealed}{skipped}"


@as_text.register
def _render_kept_state(value: KeptState) -> str:
    return f"{value.name}: saved {value.saved} ({value.size} bytes{', encrypted' if value.sealed else ''})"


@as_text.register
def _render_state_facts(value: StateFacts) -> str:
    sealed = ", encrypted" if value.sealed else ""
    lines = [f"{value.name}: saved {value.saved} in {value.path}{sealed}"]
    lines += [
        f"  cookies of {quote(domain, marks=False)}: {count}" for domain, count in value.cookies.items()
    ]
    lines += [f"  items of {quote(origin, marks=False)}: {count}" for origin, count in value.origins.items()]
    return "\n".join([*lines, *([f"  {value.expired} cookies have expired"] if value.expired else [])])


@as_text.register
def _render_user_profile(value: UserProfile) -> str:
    return f"{quote(value.name)}: {value.browser}, {quote(value.path)}"

"""Logins in the vault: save, list, remove, sign in. Passwords are never shown.

Generated from commands/input/login.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from boathook.engine.login.sign_in import LOGIN_SECONDS, SignedIn
from boathook.surfaces.python.sync_base import TabBase


class LoginTab(TabBase):
    """Methods of a tab from commands/input/login.py."""

    def auth_login(
        self,
        name: str,
        *,
        navigate: bool = True,
        username_selector: str = "",
        password_selector: str = "",
        submit_selector: str = "",
        timeout: float = LOGIN_SECONDS,
    ) -> SignedIn:
        """Sign in with a saved login. Finds the fields, also in frames and over several steps, and prints the outcome.

        Pages of another origin receive nothing, and neither does a page that replaces the field in the meantime.
        """
        return self._portal.call(
            self._inner.auth_login(
                name,
                navigate=navigate,
                username_selector=username_selector,
                password_selector=password_selector,
                submit_selector=submit_selector,
                timeout=timeout,
            )
        )

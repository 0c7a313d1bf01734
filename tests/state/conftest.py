"""A vault of the test's own, and the site with logins."""

import pytest

from boathook.engine.vault import encryption_keys, logins
from boathook.engine.vault.logins import Login
from tests.state.login_site import PASSWORD, SEED, USER, LoginSite


@pytest.fixture(scope="module")
def logins_site():
    made = LoginSite()
    yield made
    made.close()


@pytest.fixture
def vault(tmp_path, monkeypatch):
    """Where states and logins are kept while the test runs."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("BOATHOOK_ENCRYPTION_KEY", raising=False)
    monkeypatch.setattr(encryption_keys, "_keyring", lambda: None)  # not the developer's
    return tmp_path / "state/boathook"


@pytest.fixture
def kept(vault, logins_site):
    """Keep a login for a page of the site."""

    def keep(path, **more):
        facts = {"username": USER, "password": PASSWORD, "totp": SEED, **more}
        logins.keep(Login(name="desk", url=f"{logins_site.origin}{path}", **facts))
        return "desk"

    return keep

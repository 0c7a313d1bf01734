"""Secrets by name: where they are found, which origins may have them, and what a model may do with them."""

import pytest

from boathook.commands import catalogue
from boathook.errors import BadRequest, BadSetting, PolicyBlocked
from boathook.service.secrets.secret_sources import OriginPattern, SecretSources
from boathook.service.secrets.secret_values import resolve
from boathook.service.surface import Surface

FILL = catalogue()["fill"]


@pytest.fixture
def user(tmp_path):
    """A user with a configuration file and a folder for secrets."""
    folder = tmp_path / ".config/boathook"
    (folder / "secrets").mkdir(parents=True)
    (folder / "secrets").chmod(0o700)

    def describe(text="", *, surface=Surface.COMMAND_LINE, **variables):
        (folder / "boathook.toml").write_text(text)
        return SecretSources({"HOME": str(tmp_path), **variables}, surface=surface)

    describe.folder = folder  # type: ignore[attr-defined]
    return describe


@pytest.mark.parametrize(
    ("pattern", "origin", "fits"),
    [
        ("https://example.org", "https://example.org", True),
        ("example.org", "https://example.org", True),
        ("https://example.org/", "https://example.org:443", True),
        ("https://example.org", "http://example.org", False),
        ("https://example.org", "https://example.org:8443", False),
        ("https://example.org:8443", "https://example.org:8443", True),
        ("https://example.org", "https://www.example.org", False),
        ("https://*.example.org", "https://www.example.org", True),
        ("https://*.example.org", "https://example.org.evil.example", False),
        ("https://example.org", "https://example.org.evil.example", False),
        ("http://localhost:3000", "http://localhost:3000", True),
        ("https://*", "https://anything.example:8443", True),
        ("https://*", "http://anything.example", False),
        ("https://example.org", "null", False),
        ("https://example.org", "://", False),
        ("https://example.org", "", False),
        ("https://example.org", "file://", False),
    ],
)
def test_an_origin_is_scheme_host_and_port(pattern, origin, fits):
    assert OriginPattern.parse(pattern).matches(origin) is fits


@pytest.mark.parametrize("text", ["ftp://example.org", "https://example.org/path", "", "https://"])
def test_what_is_no_origin_is_an_error(text):
    with pytest.raises(BadSetting):
        OriginPattern.parse(text)


def test_secrets_come_from_files_variables_and_what_the_user_describes(user):
    (user.folder / "secrets/one").write_text("from the folder\n")
    (user.folder / "two.txt").write_text("from a file")
    user.folder.chmod(0o700)
    found = user(
        "[secrets]\ntwo = { file = 'two.txt' }\nthree = { env = 'THREE' }",
        THREE="from env",
        BOATHOOK_SECRET_FOUR_X="4",
    )
    assert found.find("secret", "one").value == "from the folder"
    assert found.find("secret", "two").value == "from a file"
    assert found.find("secret", "three").value == "from env"
    assert found.find("secret", "four-x").value == "4"
    assert found.find("env", "THREE").value == "from env"
    with pytest.raises(BadRequest, match="secret 'five' not found"):
        found.find("secret", "five")
    with pytest.raises(BadRequest, match="NOWHERE is not set"):
        found.find("env", "NOWHERE")


def test_a_link_in_the_folder_is_not_followed(user, tmp_path):
    (tmp_path / "elsewhere").write_text("not for you")
    (user.folder / "secrets/one").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadRequest, match="cannot be read as a secret"):
        user().find("secret", "one")


@pytest.mark.parametrize(
    "text",
    [
        "[secrets]\na = 'value'",
        "[secrets]\na = { value = 'x' }",
        "[secrets]\na = { env = 'A', file = 'b' }",
        "[secrets]\na = { env = 1 }",
        "[secrets]\na = { env = 'A', origins = 'https://x.example' }",
    ],
)
def test_a_description_with_a_mistake_is_named_and_shows_no_value(user, text):
    with pytest.raises(BadSetting, match=r"secrets? a\b"):
        user(text, A="x").find("secret", "a")


def test_over_mcp_a_secret_needs_origins_and_a_variable_has_to_be_listed(user):
    (user.folder / "secrets/free").write_text("value")
    text = (
        "[secrets]\nbound = { env = 'BOUND', origins = ['https://example.org'] }\nloose = { env = 'LOOSE' }"
    )
    for surface in (Surface.MCP_STDIO, Surface.MCP_HTTP):
        found = user(text, surface=surface, BOUND="a", LOOSE="b", HIDDEN="c")
        assert found.find("secret", "bound").value == "a"
        assert found.find("env", "BOUND").value == "a"
        for kind, name in (("env", "HIDDEN"), ("env", "LOOSE"), ("secret", "loose"), ("secret", "free")):
            with pytest.raises(PolicyBlocked):
                found.find(kind, name)
    here = user(text, BOUND="a", LOOSE="b", HIDDEN="c")
    assert [here.find("env", name).value for name in ("HIDDEN", "LOOSE")] == ["c", "b"]


def test_only_parameters_that_hold_secrets_are_resolved_and_nothing_shows_them(user, tmp_path):
    user("[secrets]\nbound = { env = 'BOUND', origins = ['https://example.org'] }")
    environment = {"HOME": str(tmp_path), "BOUND": "very-secret-value"}
    found = resolve(FILL, {"target": "env:BOUND", "value": "env:BOUND"}, environment=environment)
    assert found.arguments == {"target": "env:BOUND", "value": "very-secret-value"}
    assert found.values == {"very-secret-value"}
    assert [secret.name for secret in found.bound] == ["env:BOUND"]
    assert "very-secret" not in repr(found)
    assert (
        resolve(FILL, {"target": "#a", "value": "my env:BOUND"}, environment=environment).values
        == frozenset()
    )

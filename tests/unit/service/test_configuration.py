"""Settings from files, environment and flags: the stronger source wins, and a project's file cannot loosen anything."""

import pytest

from boathook.errors import BadRequest, BadSetting
from boathook.service.input.configuration import merge_settings
from boathook.settings import SETTINGS


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home/.config/boathook"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project/inner"
    folder.mkdir(parents=True)
    (tmp_path / "project/.git").mkdir()
    return folder


def settings_of(tmp_path, project, flags=None, **variables):
    return merge_settings(
        flags or {}, environment={"HOME": str(tmp_path / "home"), **variables}, folder=str(project)
    )


def test_each_source_wins_over_the_weaker_ones(tmp_path, home, project):
    (home / "boathook.toml").write_text(
        'session = "user"\nviewport = "320x240"\ntimeout = 5\nheaded = true\nmax_output = 7'
    )
    (project.parent / "boathook.toml").write_text('viewport = "640x480"')
    got = settings_of(
        tmp_path, project, {"session": "flag"}, BOATHOOK_SESSION="variable", BOATHOOK_TIMEOUT="7.5"
    )
    assert got == {"session": "flag", "viewport": "640x480", "timeout": 7.5, "headed": True, "max_output": 7}


def test_opposites_in_one_source_are_refused_and_the_stronger_source_wins(tmp_path, home, project):
    with pytest.raises(BadSetting, match="--headed and --headless conflict"):
        settings_of(tmp_path, project, {"headed": True, "headless": True})
    with pytest.raises(BadSetting, match="conflict"):
        settings_of(tmp_path, project, BOATHOOK_HEADED="1", BOATHOOK_HEADLESS="1")
    assert settings_of(tmp_path, project, {"headed": True, "headless": False}) == {"headed": True}
    assert settings_of(tmp_path, project, {"headless": True}, BOATHOOK_HEADED="1") == {"headed": False}


def test_a_projects_file_is_not_looked_for_outside_its_repository(tmp_path, home, project):
    (tmp_path / "boathook.toml").write_text('session = "outside"')
    assert settings_of(tmp_path, project) == {}


@pytest.mark.parametrize("name", [setting.name for setting in SETTINGS.values() if setting.trusted_only])
def test_a_project_may_not_set_what_reaches_programs_files_or_safety(tmp_path, home, project, name):
    kinds = {
        "flag": "true",
        "number": "7",
        "integer": "7",
        "choice": f'"{(SETTINGS[name].choices or ("",))[-1]}"',
        "paths": '["x"]',
        "texts": '["x"]',
    }
    value = kinds.get(SETTINGS[name].kind, '"x"')
    (project / "boathook.toml").write_text(f"{name} = {value}")
    with pytest.raises(BadSetting, match="may not be set by a project"):
        settings_of(tmp_path, project)
    (project / "boathook.toml").rename(home / "boathook.toml")
    assert name in settings_of(tmp_path, project)


@pytest.mark.parametrize(
    "text", ["sesion = 'x'", "timeout = 'soon'", "headed = 1", "color = 'pink'", "a = [", "\udcff"]
)
def test_a_file_with_a_mistake_is_named(tmp_path, home, project, text):
    (project / "boathook.toml").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(BadSetting, match=r"boathook\.toml"):
        settings_of(tmp_path, project)


def test_a_variable_with_a_mistake_is_named(tmp_path, home, project):
    with pytest.raises(BadRequest, match="--timeout must be a number"):
        settings_of(tmp_path, project, BOATHOOK_TIMEOUT="soon")


def test_colours_are_off_when_nobody_wants_them(tmp_path, home, project):
    assert settings_of(tmp_path, project, NO_COLOR="1") == {"color": "never"}


def test_a_file_that_is_named_stands_in_for_both_others(tmp_path, home, project):
    (home / "boathook.toml").write_text('session = "user"')
    (project.parent / "boathook.toml").write_text('viewport = "640x480"')
    (project / "own.toml").write_text("max_output = 9")
    assert settings_of(tmp_path, project) == {"session": "user", "viewport": "640x480"}
    assert settings_of(tmp_path, project, {"config": "own.toml"})["max_output"] == 9
    named = settings_of(tmp_path, project, BOATHOOK_CONFIG="own.toml")
    assert (named["max_output"], named.get("session"), named.get("viewport")) == (9, None, None)


def test_a_file_that_is_named_and_not_there_is_an_error(tmp_path, home, project):
    with pytest.raises(BadSetting, match=r"no such configuration file: .*none\.toml"):
        settings_of(tmp_path, project, {"config": "none.toml"})

"""The changelog: fragments become sections grouped by kind, in a stable order, and a release consumes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools.build_changelog import ROOT, fragments, main

if TYPE_CHECKING:
    from pathlib import Path

OLDER = "## 0.1.0 (2025-01-02)\n\n### Added\n\n- The beginning.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a released version, fragments of a next one, and a changelog that does not have them yet."""
    (tmp_path / "src/boathook").mkdir(parents=True)
    (tmp_path / "src/boathook/_version.py").write_text('"""The version."""\n\n__version__ = "0.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\nText.\n\n{OLDER}")
    folder = tmp_path / "changes.d"
    folder.mkdir()
    (folder / "zoom.fixed.md").write_text("Zoom is kept.\n")
    (folder / "10.added.md").write_text("Tenth.\n")
    (folder / "9.added.md").write_text("- Ninth.\n\n- Ninth, second.\n")
    (folder / "apple.added.md").write_text("Apples.\n")
    (folder / "pip.security.md").write_text("Secrets stay.")
    return tmp_path


def text(project: Path) -> str:
    return (project / "CHANGELOG.md").read_text(encoding="utf-8")


def test_entries_are_grouped_by_kind_and_older_versions_stay(project: Path) -> None:
    assert main([], project) == 0
    assert text(project).split("\n## 0.2.0", 1)[1] == (
        " (unreleased)\n\n### Added\n\n- Ninth.\n- Ninth, second.\n- Tenth.\n- Apples.\n\n"
        "### Fixed\n\n- Zoom is kept.\n\n### Security\n\n- Secrets stay.\n\n" + OLDER
    )


def test_a_second_run_changes_nothing_and_the_check_passes_only_then(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check"], project) == 1
    assert capsys.readouterr().out == "CHANGELOG.md is not current: run `make changelog`\n"
    main([], project)
    once = text(project)
    assert main(["--check"], project) == 0
    main([], project)
    assert text(project) == once
    (project / "changes.d/new.removed.md").write_text("Gone.\n")
    assert main(["--check"], project) == 1


def test_a_release_is_dated_and_consumes_the_fragments(project: Path) -> None:
    main([], project)
    assert main(["--release", "0.2.0", "2025-03-04"], project) == 0
    assert "## 0.2.0 (2025-03-04)\n" in text(project)
    assert "unreleased" not in text(project)
    assert text(project).endswith(OLDER)
    assert list((project / "changes.d").iterdir()) == []
    assert main(["--check"], project) == 0
    (project / "src/boathook/_version.py").write_text('__version__ = "0.3.0"\n')
    (project / "changes.d/next.added.md").write_text("Next.\n")
    assert main([], project) == 0
    headings = [line for line in text(project).splitlines() if line.startswith("## ")]
    assert headings == ["## 0.3.0 (unreleased)", "## 0.2.0 (2025-03-04)", "## 0.1.0 (2025-01-02)"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--release", "0.2.0", "soon"], "invalid date: 'soon'"),
        (["--release", "0.4.0", "2025-03-04"], "states 0.2.0, not 0.4.0"),
        (["--release", "0.2.0"], "usage: "),
    ],
)
def test_an_impossible_release_changes_nothing(
    project: Path, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = text(project)
    assert main(arguments, project) != 0
    assert says in capsys.readouterr().out
    assert text(project) == before
    assert len(fragments(project / "changes.d")) == 5


@pytest.mark.parametrize("name", ["new.md", "new.improved.md", "new.added.txt", "a.b.added.md"])
def test_a_fragment_of_no_known_kind_is_an_error(
    project: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "changes.d" / name).write_text("x\n")
    assert main([], project) == 1
    assert f"invalid fragment name: {name}" in capsys.readouterr().out


def test_an_empty_fragment_is_an_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "changes.d/void.added.md").write_text("\n")
    assert main([], project) == 1
    assert "empty fragment: void.added.md" in capsys.readouterr().out


def test_the_fragments_of_this_project_are_valid() -> None:
    assert fragments(ROOT / "changes.d")

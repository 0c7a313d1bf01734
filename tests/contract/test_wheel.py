"""The wheel, installed into an empty environment: it holds what it needs and works without the repository."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.support.thorough import THOROUGH

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def run(*command: str | Path, cwd: Path) -> str:
    result = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False, timeout=200
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    [built] = folder.glob("boathook-*.whl")
    return built


def test_wheel_holds_types_page_scripts_and_nothing_foreign(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "boathook/py.typed" in names
    scripts = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src/boathook").rglob("*.js")}
    assert scripts <= set(names)
    assert {name.split("/")[0] for name in names} <= {"boathook", wheel.name.split("-py3")[0] + ".dist-info"}
    assert not [name for name in names if "__pycache__" in name]


def _dependencies(environment: Path) -> list[str]:
    """Those of this environment are used as they are; `make stress` and `make release-check` install the declared ones."""
    if THOROUGH:
        return []
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return ["--no-deps"]


def install_wheel(environment: Path, wheel: Path) -> Path:
    """A new environment with the wheel; returns the folder of its programs."""
    folder = environment.parent
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=folder)
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin/python", "--disable-pip-version-check")
    run(*pip, "install", "-q", "--no-compile", *_dependencies(environment), wheel, cwd=folder)
    return environment / "bin"


def test_wheel_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    python = install_wheel(tmp_path / "venv", wheel) / "python"
    where = run(python, "-I", "-c", "import boathook; print(boathook.__file__)", cwd=tmp_path)
    assert where.startswith(str(tmp_path / "venv"))
    page = "data:text/html,<title>Wheel</title><button>Go</button>"
    code = f"import boathook\nwith boathook.sync.launch() as browser:\n  print(browser.open({page!r}).snapshot())"
    assert 'button "Go" @e1' in run(python, "-I", "-c", code, cwd=tmp_path)

"""Files that a call says it made are looked at before it is called done."""

import time

import pytest

from boathook.engine.downloads import Download
from boathook.errors import FileMissing
from boathook.service.keeping import artifacts_of, category_of


def test_a_file_is_told_with_its_size_and_a_missing_one_is_an_error(tmp_path):
    path = tmp_path / "a.txt"
    value = Download(path=path, suggested_name="a.txt", url="", size=2)
    with pytest.raises(FileMissing):
        artifacts_of(value, began=time.time())
    path.write_text("ab")
    found = artifacts_of(value, began=time.time())
    assert [one.size for one in found] == [2]
    assert category_of(found) == "artifact-saved"
    assert category_of(artifacts_of("no file", began=0)) == "completed"

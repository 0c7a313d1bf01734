"""Files that a call says it made are looked at before it is called done."""

import os
import time

import pytest

from boathook.commands import catalogue
from boathook.engine.files.downloads import Download
from boathook.engine.state.state_file import SavedState
from boathook.errors import FileMissing
from boathook.service.records.call_recorder import artifacts_of, category_of

WRITES, READS = catalogue()["save_state"], catalogue()["load_state"]


def test_a_file_is_told_with_its_size_and_a_missing_one_is_an_error(tmp_path):
    path = tmp_path / "a.txt"
    value = Download(path=path, suggested_name="a.txt", url="", size=2)
    with pytest.raises(FileMissing):
        artifacts_of(WRITES, value, began=time.time())
    path.write_text("ab")
    found = artifacts_of(WRITES, value, began=time.time())
    assert [match.size for match in found] == [2]
    assert category_of(found) == "artifact-saved"
    assert category_of(artifacts_of(WRITES, "no file", began=0)) == "completed"


def test_a_call_that_reads_a_file_has_made_none(tmp_path):
    path = tmp_path / "old.json"
    path.write_text("{}")
    os.utime(path, (1, 1))
    value = SavedState(path=path, cookies=0, origins=(), skipped=())
    assert artifacts_of(READS, value, began=time.time()) == ()
    with pytest.raises(FileMissing):
        artifacts_of(WRITES, value, began=time.time())

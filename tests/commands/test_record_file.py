import os
import stat
from pathlib import Path

import pytest

from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure, Refusal


def test_a_record_is_written_whole_and_for_everybody_to_read(tmp_path: Path) -> None:
    path = tmp_path / "match.scopa"
    file = RecordFile(path)
    assert list(tmp_path.iterdir()) == []
    file.write(b"record")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"record"
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "match.scopa"
    path.write_bytes(b"older")
    with pytest.raises(Refusal, match="exists already: name a new file"):
        RecordFile(path)
    assert path.read_bytes() == b"older"


def test_not_even_a_dangling_link_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "match.scopa"
    path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(Refusal):
        RecordFile(path)


def test_a_folder_that_is_missing_is_told_before_the_match(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="No record can be written to"):
        RecordFile(tmp_path / "missing" / "match.scopa")


def test_a_file_that_came_meanwhile_costs_no_record(tmp_path: Path) -> None:
    path = tmp_path / "match.scopa"
    file = RecordFile(path)
    path.write_bytes(b"newer")
    with pytest.raises(Failure) as refused:
        file.write(b"record")
    beside = str(refused.value).rpartition(" ")[2].removesuffix(".")
    assert path.read_bytes() == b"newer"
    assert Path(beside).read_bytes() == b"record"


def test_a_record_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    file = RecordFile(folder / "match.scopa")
    folder.rmdir()
    with pytest.raises(Failure, match="could not be written"):
        file.write(b"record")
    assert os.listdir(tmp_path) == []

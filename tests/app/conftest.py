"""A desk for tests of who is asked something."""

import os
from collections.abc import Iterator

import pytest

from tests.app.desk import Desk


@pytest.fixture
def desk() -> Iterator[Desk]:
    reader, writer = os.pipe()
    yield Desk(reader, writer)
    os.close(reader)
    os.close(writer)

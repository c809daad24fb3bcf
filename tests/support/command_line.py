"""The command line, run in this process as `scopa WORDS` would be."""

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any, NamedTuple
from unittest.mock import patch

from scopa_net import cli


class Ran(NamedTuple):
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def answer(self) -> Any:
        """The one JSON object on stdout."""
        (line,) = self.out.splitlines()
        return json.loads(line)


def scopa(*words: str) -> Ran:
    """Run `scopa WORDS`."""
    out, err = StringIO(), StringIO()
    code: object = None
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "argv", ["scopa", *words]),
    ):
        try:
            cli.main()
        except SystemExit as left:
            code = left.code
    return Ran(int(str(code or 0)), out.getvalue(), err.getvalue())

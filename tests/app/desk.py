"""A person who reads a page and types into a pipe."""

import os
from dataclasses import dataclass, field
from io import StringIO

from scopa_net.app.questions import Questions
from scopa_net.app.stage import Person
from scopa_net.ui.output import Output


@dataclass
class Desk:
    """A person: `page` is what is read, `type` what is typed."""

    reader: int
    writer: int
    page: StringIO = field(default_factory=StringIO)

    def questions(self, *, interactive: bool = True) -> Questions:
        out = Output(self.page, lambda _: None)
        return Questions(None, Person(out, self.reader, interactive, None))

    def type(self, text: str) -> None:
        os.write(self.writer, text.encode())

"""What somebody has pasted, freed of what chat programs and mails put around it.

A full stop ends the sentence that an invitation stood in, a mail quotes it, breaks it
and puts it in brackets, and whole commands are copied. Nothing of that is ever part of
an invitation, a code, an address or the ID of a match. What is left is read as strictly
as ever.
"""

import re
from typing import Final

from protocol.invite import SCHEME

__all__ = ["unwrapped"]

_UNSEEN: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_QUOTES: Final = "\"'`\u00ab\u00bb\u2018\u2019\u201a\u201c\u201d\u201e\u2039\u203a"
_BEFORE: Final = f"<({{*_>$|{_QUOTES}"
_AFTER: Final = f">)}}*_.,;:!?\u2026{_QUOTES}"
_SOFT_BREAK: Final = re.compile(r"=\r?\n")
_QUOTED_LINE: Final = re.compile(r"(?m)^[ \t]*(?:[>|][ \t]*)+")
_COMMAND: Final = re.compile(r"(?i)^scopa\s+(?:join|resume)(?:\s+|$)")
_TALK_BEFORE: Final = re.compile(rf"(?is)^.*[\s:{re.escape(_BEFORE)}](?={SCHEME})")


def unwrapped(text: str) -> str:
    """The text without what may stand around what it is pasted for.

    What is inside stays as it is, but for breaks of lines by a mail.
    """
    plain = _SOFT_BREAK.sub("", text.translate(_UNSEEN))
    plain = _stripped(_QUOTED_LINE.sub("", plain))
    if plain.lower().count(SCHEME) == 1:
        plain = _TALK_BEFORE.sub("", plain)
    return _stripped(_COMMAND.sub("", plain))


def _stripped(text: str) -> str:
    """Without white space and marks at the ends, in whatever order they stand there."""
    spaces = " \t\r\n\v\f\u00a0\u202f"
    return text.lstrip(_BEFORE + spaces).rstrip(_AFTER + spaces)

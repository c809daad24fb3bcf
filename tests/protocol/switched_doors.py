"""The switch of every check of who comes to a table; see `switched`."""

STOPPED_AT_DOORS: dict[str, dict[str, str]] = {
    "hello._greeting": {
        "type(value) is not tuple": "a greeting that is a number",
        "len(value) < 4": "a greeting of three words",
        "value[0] != PROTOCOL": "a greeting of another protocol",
        "Int(0, _VERSION_MAX).check(value[1])": "a version that is no number",
        "_PROGRAM.check(value[3])": "a program that is no text",
        "_HOST_SHAPE.check(value)": "a host's greeting for one seat",
        "_REFUSED_SHAPE.check(value)": "a refusal of five hundred",
        "refusal is None": "a refusal that does not exist",
        "_GUEST_SHAPE.check(value)": "a guest's greeting with more in it",
    },
    "hello._servers": {
        "len(places) != 2": "a host's greeting with one server",
    },
    "hello._read_uninvited": {
        "_UNINVITED[kind].check(value)": "a knock without a commitment",
    },
    "hello.Door.admit_watcher": {
        "hello.nonce is not None and hello.nonce != self._nonce": (
            "a watcher of another table"
        ),
        "key in self.admitted": "a watcher who sits there",
        "hello.ticket in self._tickets": "a watcher with a seat's ticket",
        "hello.ticket != self._watch and hello.nonce is None": (
            "a watcher with a ticket of its own"
        ),
        "key not in self._watchers and len(self._watchers) >= WATCHERS_MAX": (
            "a watcher too many"
        ),
    },
    "hello.Door.let_in": {
        "not self.free": "a knocker too many",
    },
    "hello.Door.admit": {
        "hello.nonce is not None and hello.nonce != self._nonce": (
            "a guest of another table"
        ),
        "hello.ticket is not None and hello.ticket == self._watch": (
            "a watcher who would sit down"
        ),
        "hello.ticket not in self._tickets": "a guest with a ticket of its own",
        "hello.ticket in self.admitted.values()": "a guest with a used ticket",
        "hello.ticket not in self._kept and (not self.free)": "a guest too many",
    },
}

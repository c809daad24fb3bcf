"""The switch of every check on bytes: which attack it stops; see `switched`."""

STOPPED_BYTES: dict[str, dict[str, str]] = {
    "codec.Int.check": {
        "type(value) is not int": "text where a number belongs",
        "not self.low <= value <= self.high": "a number out of its range",
    },
    "codec.Bytes.check": {
        "type(value) is not bytes": "text where bytes belong",
        "not self.size <= len(value) <= max(self.size, self.at_most)": (
            "a byte too many"
        ),
    },
    "codec.Text.check": {
        "type(value) is not str": "bytes where text belongs",
        "len(value.encode()) > self.at_most": "a letter too many",
    },
    "codec.Maybe.check": {
        "self.shape.check(value)": "a number out of its range that may be missing",
    },
    "codec.ListOf.check": {
        "type(value) is not tuple": "a number where a list belongs",
        "not self.low <= len(value) <= self.high": "a list too long",
        "self.shape.check(item)": "a list with a number out of its range",
    },
    "codec.Fields.check": {
        "type(value) is not tuple": "a number where fields belong",
        "len(value) != len(self.shapes)": "a field too many",
        "shape.check(item)": "a field out of its range",
    },
    "codec.OneOf.check": {
        "shape is None": "a message of a kind that is none",
        "shape.check(value)": "a message with a field out of its range",
        "type(value) is tuple": "a number where a message belongs",
        "value": "a message of nothing",
    },
    "codec.decode": {
        "len(data) > size_max": "more bytes than may be",
        "canonical != data": "a number in a long form",
        "shape.check(value)": "a number out of its range",
    },
    "codec._check_plain": {
        "not 0 <= cast('int', value) < _INT_END": "a number past 63 bits",
        "isinstance(value, (tuple, list))": "a half",
        "depth == 0": "lists in lists without an end",
        "len(value) > ARRAY_MAX": "a list longer than any",
    },
    "archive.read_archive": {
        "reading.end is not End.WHOLE": "a record without its end",
        "len(entries) != len(reading.entries)": "a record with a frame of rubbish",
    },
    "archive.read_damaged": {
        "len(data) > ARCHIVE_BYTES_MAX": "a file larger than any record",
        "not data.startswith(HEADER)": "a file that is no record",
    },
    "audit.Audit.stopped": {
        (
            "course.disagreement is not None or len(self.late) < len(self.faults)"
        ): "a record with a lie",
    },
    "audit.Audit.sound": {
        "self.damage is None": "a record with an unsigned entry",
        "not self.stopped": "a record with a lie",
    },
    "audit.Audit.finished": {
        "self.judge.course.confirmed": "a record that was left",
    },
    "audit.audit": {
        "terms.suite != suite.name": "a record of another group",
        "one is None": "a record with a frame that is none",
        "e is not None": "a record with bytes that are no entry",
        "_is_signed(e, terms)": "a record with an unsigned entry",
    },
    "audit._terms_in": {
        "not votes": "a record of nothing",
    },
    "audit._is_signed": {
        "len(entry.seen) != terms.seats": "a record with an entry of a larger table",
        "verify(terms.keys[entry.seat], digest, entry.signed.signature)": (
            "a record with an unsigned entry"
        ),
    },
    "mesh.Mesh._heard_have": {
        "scope != record.table_scope": "what is held at another table",
        "len(held) != len(record.keys)": "what is held at a smaller table",
    },
}

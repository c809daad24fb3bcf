"""The switch of every check on news: which attack it stops; see `switched`."""

STOPPED_NEWS: dict[str, dict[str, str]] = {
    "news.read_news": {
        "len(set(where.hosts)) != len(where.hosts)": "an address that is told twice",
        "not all(map(_plain, where.hosts))": "an address in another spelling",
        "list(sees.seats) != sorted({*sees.seats} - {sees.seat})": (
            "seats that are seen twice"
        ),
    },
    "news.is_told_by": {
        "verify(key, H('sc1.news', signed.encoded), signed.signature)": (
            "news that another signed"
        ),
    },
    "news._is_callable": {
        "not (stands_for or nowhere or unfit)": "an address of a whole network",
    },
    "news._plain": {
        "str(ip_address(host)) == host": "an address in another spelling",
        "'%' not in host": "an address with a zone",
    },
    "whereabouts.Hearsay.hear": {
        "news.scope != self._scope": "news of another table",
        "news.seat >= len(self._keys)": "news of a seat that is not there",
        "not is_told_by(signed, self._keys[news.seat])": "news that another signed",
    },
}

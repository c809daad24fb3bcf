"""A way between two programs that takes its time: what is written arrives later."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

_CHUNK_BYTES = 65536


@contextmanager
def delayed(port: int, delay_s: float) -> Iterator[int]:
    """The port of the loopback that leads to `port`, so much later in both directions.

    For as long as the block lasts, by a loop in a thread of its own.
    """
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    way = _Way(port, delay_s)
    try:
        yield asyncio.run_coroutine_threadsafe(way.open(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(way.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class _Way:
    def __init__(self, port: int, delay_s: float) -> None:
        self._port = port
        self._delay_s = delay_s
        self._server: asyncio.Server | None = None
        self._carrying: set[asyncio.Task[None]] = set()

    async def open(self) -> int:
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    async def _join(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._port)
        except ConnectionRefusedError:
            writer.close()
            return
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.ensure_future(self._carry(source, sink))
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)

    async def _carry(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter
    ) -> None:
        loop = asyncio.get_running_loop()
        while data := await source.read(_CHUNK_BYTES):
            loop.call_later(self._delay_s, sink.write, data)
        loop.call_later(self._delay_s, sink.close)

"""What was typed before it could be meant for what is asked or shown now."""

import sys
from contextlib import suppress

__all__ = ["forget_typed"]


def forget_typed(fd: int) -> bool:
    """Drop what a terminal holds that nobody has read; whether there was anything.

    While it collects lines, what was typed since the last Enter is dropped unseen.
    """
    if sys.platform == "win32":
        import msvcrt

        there = False
        while msvcrt.kbhit():
            msvcrt.getwch()
            there = True
        return there
    import fcntl
    import termios

    held = bytearray(4)
    # What is no terminal holds what a pipe has brought, and that is kept.
    with suppress(OSError, termios.error):
        termios.tcgetattr(fd)
        fcntl.ioctl(fd, termios.FIONREAD, held)
        termios.tcflush(fd, termios.TCIFLUSH)
    return any(held)

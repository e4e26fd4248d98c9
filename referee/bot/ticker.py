"""A tick that ends a wait in the kernel: Linux's timerfd, which ``os`` has from Python 3.13 on."""

import ctypes
import os
import time
import weakref


class _Spec(ctypes.Structure):
    """``struct itimerspec``."""

    _fields_ = [(name, ctypes.c_long) for name in ("every_s", "every_ns", "first_s", "first_ns")]


class Ticker:
    """A descriptor, ``fd``, that can be read after every ``interval_ms``, till it is read.

    Waiting for it beside others bounds their wait without a time limit for each: to arm a timer is
    the dearest part of a wait. It costs nothing while nobody reads it: the kernel arms the next
    tick when the last one is read.
    """

    def __init__(self, interval_ms: int) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = libc.timerfd_create(time.CLOCK_MONOTONIC, os.O_CLOEXEC | os.O_NONBLOCK)
        if self.fd < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self.close = weakref.finalize(self, os.close, self.fd)
        """Closes the descriptor, once; it is closed in the end anyway."""
        interval = divmod(interval_ms * 1_000_000, 1_000_000_000)
        if libc.timerfd_settime(self.fd, 0, ctypes.byref(_Spec(*interval, *interval)), None):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def read(self) -> None:
        """Let it tick anew; it must have ticked."""
        os.read(self.fd, 8)

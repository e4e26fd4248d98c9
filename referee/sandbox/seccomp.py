"""The system calls that a bot does without, as a filter for the kernel.

They answer "function not implemented", which programs know how to do without. Left out is what
leads around the sandbox's bounds and what the watch over memory cannot see:

- new namespaces: a user namespace of its own would let a bot mount file systems without a size.
  (As an ordinary user bubblewrap forbids them by itself, as root it cannot.)
- memory that belongs to no process: ``memfd_create``, System V's shared memory and queues,
- the kernel's keyrings, through which two copies of a bot could talk,
- doors that bots do not need and that have let others through: ``bpf``, ``io_uring``...
"""

import platform
import struct

# Numbers by architecture, from the kernel's asm/unistd.h.
_REFUSED = {
    "x86_64": {
        "add_key": 248,
        "bpf": 321,
        "clone3": 435,  # its flags lie in memory, where no filter can look; libc falls back
        "io_uring_setup": 425,
        "keyctl": 250,
        "memfd_create": 319,
        "memfd_secret": 447,
        "msgget": 68,
        "perf_event_open": 298,
        "request_key": 249,
        "semget": 64,
        "setns": 308,
        "shmget": 29,
        "unshare": 272,
        "userfaultfd": 323,
    },
    "aarch64": {
        "add_key": 217,
        "bpf": 280,
        "clone3": 435,
        "io_uring_setup": 425,
        "keyctl": 219,
        "memfd_create": 279,
        "memfd_secret": 447,
        "msgget": 186,
        "perf_event_open": 241,
        "request_key": 218,
        "semget": 190,
        "setns": 268,
        "shmget": 194,
        "unshare": 97,
        "userfaultfd": 282,
    },
}
_CLONE = {"x86_64": 56, "aarch64": 220}
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # linux/audit.h

# linux/filter.h and linux/seccomp.h
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_ALLOW = 0x7FFF0000
_NOT_IMPLEMENTED = 0x00050000 | 38
_CLONE_NEWUSER = 0x10000000
_X32 = 0x40000000  # x86's second set of numbers; no number of ours is as high

_NEXT, _TO_ALLOW, _TO_REFUSE = "next", "allow", "refuse"


def seccomp_filter(machine: str | None = None) -> bytes:
    """Return the filter for an architecture (default: this machine's); empty for an unknown one."""
    machine = machine or platform.machine()
    if machine not in _REFUSED:
        return b""
    program = [
        (_LOAD, _NEXT, _NEXT, _ARCHITECTURE_AT),
        (_EQUAL, _NEXT, _TO_REFUSE, _ARCHITECTURE[machine]),
        (_LOAD, _NEXT, _NEXT, _NUMBER_AT),
        (_AT_LEAST, _TO_REFUSE, _NEXT, _X32),
        *((_EQUAL, _TO_REFUSE, _NEXT, number) for number in _REFUSED[machine].values()),
        (_EQUAL, _NEXT, _TO_ALLOW, _CLONE[machine]),
        (_LOAD, _NEXT, _NEXT, _FIRST_ARGUMENT_AT),
        (_ANY_BIT, _TO_REFUSE, _NEXT, _CLONE_NEWUSER),
        (_RETURN, _NEXT, _NEXT, _ALLOW),
        (_RETURN, _NEXT, _NEXT, _NOT_IMPLEMENTED),
    ]
    ends = {_TO_ALLOW: len(program) - 2, _TO_REFUSE: len(program) - 1}
    code = bytearray()
    for place, (what, if_so, if_not, value) in enumerate(program, 1):
        # A jump counts the instructions that it leaves out.
        jumps = (0 if where == _NEXT else ends[where] - place for where in (if_so, if_not))
        code += struct.pack("=HBBI", what, *jumps, value)
    return bytes(code)

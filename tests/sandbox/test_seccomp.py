"""The filter refuses what it says, whatever the architecture, and nothing else."""

import struct

import pytest

from referee.sandbox.seccomp import _ARCHITECTURE, _CLONE, _REFUSED, seccomp_filter

ALLOW, NOT_IMPLEMENTED = 0x7FFF0000, 0x00050026
MACHINES = list(_REFUSED)


def run(program: bytes, number: int, architecture: int, flags: int = 0) -> int:
    """Do what the kernel does with a filter, for a call with these flags as its first argument."""
    data = struct.pack("=IIQQ", number, architecture, 0, flags)
    code = list(struct.iter_unpack("=HBBI", program))
    place = value = 0
    while True:
        what, if_so, if_not, operand = code[place]
        place += 1
        match what:
            case 0x20:
                (value,) = struct.unpack_from("=I", data, operand)
            case 0x15:
                place += if_so if value == operand else if_not
            case 0x35:
                place += if_so if value >= operand else if_not
            case 0x45:
                place += if_so if value & operand else if_not
            case 0x06:
                return int(operand)


@pytest.mark.parametrize("machine", MACHINES)
def test_each_number_up_to_600_is_refused_if_it_is_listed_and_else_allowed(machine: str) -> None:
    program = seccomp_filter(machine)
    listed = set(_REFUSED[machine].values())
    refused = {n for n in range(600) if run(program, n, _ARCHITECTURE[machine]) != ALLOW}
    assert refused == listed
    assert all(run(program, n, _ARCHITECTURE[machine]) == NOT_IMPLEMENTED for n in listed)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_new_process_is_allowed_and_a_new_user_namespace_is_not(machine: str) -> None:
    program, clone = seccomp_filter(machine), _CLONE[machine]
    sigchld, new_user, new_thread = 17, 0x10000000, 0x003D0F00
    assert run(program, clone, _ARCHITECTURE[machine], sigchld) == ALLOW
    assert run(program, clone, _ARCHITECTURE[machine], new_thread) == ALLOW
    assert run(program, clone, _ARCHITECTURE[machine], sigchld | new_user) == NOT_IMPLEMENTED


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_by_another_set_of_numbers_are_refused(machine: str) -> None:
    program = seccomp_filter(machine)
    i386 = 0x40000003
    assert run(program, 1, i386) == NOT_IMPLEMENTED
    assert run(program, 0x40000000 | 1, _ARCHITECTURE[machine]) == NOT_IMPLEMENTED


def test_an_unknown_architecture_has_no_filter() -> None:
    assert seccomp_filter("z80") == b""

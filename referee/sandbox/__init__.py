"""What a bot's process may see and use: a view of the machine made by bubblewrap, or all of it.

``bwrap`` starts a program in a sandbox, ``seccomp`` closes the system calls that would lead around
it, ``probe`` finds out once whether all this works here. Nothing here knows bots' messages, limits
or games. The invariant: a program runs with all of the isolation, or it does not run.
"""

from referee.sandbox.bwrap import START, Sandbox, Started, adopt_orphans, first_process, open_pipe
from referee.sandbox.probe import Isolation, Mode, SandboxError, Wanted, find_isolation, sandbox_of

__all__ = [
    "START",
    "Isolation",
    "Mode",
    "Sandbox",
    "SandboxError",
    "Started",
    "Wanted",
    "adopt_orphans",
    "find_isolation",
    "first_process",
    "open_pipe",
    "sandbox_of",
]

"""A SLURM of one node, with all it needs in one folder, as long as a test takes."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")

CONFIG = """
ClusterName=test
SlurmctldHost={host}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmctldPort={port}
SlurmdPort={node_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory_mb} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def lacks() -> str:
    """Say what is missing for a node here; nothing where it can be had."""
    if os.geteuid() != 0:
        return "a SLURM for a test needs root"
    missing = [daemon for daemon in DAEMONS if shutil.which(daemon) is None]
    return f"{', '.join(missing)} not installed: apt install slurmctld slurmd munge" * bool(missing)


@contextmanager
def slurm_node(folder: Path) -> Iterator[Path]:
    """Run a node; give its configuration's file, for the environment's SLURM_CONF."""
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    folder.chmod(0o755)  # munged insists
    config = folder / "slurm.conf"
    ports = free_ports(2)
    config.write_text(
        CONFIG.format(
            host=socket.gethostname().partition(".")[0],
            folder=folder,
            port=ports[0],
            node_port=ports[1],
            cpus=os.cpu_count(),
            memory_mb=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20 - 100,
        )
    )
    files = {"socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
    options = [f"--{option}={folder}/munge.{suffix}" for option, suffix in files.items()]
    with ExitStack() as daemons:
        start(daemons, folder, "munged", "--foreground", "--force", f"--key-file={key}", *options)
        wait_for((folder / "munge.socket").exists)
        start(daemons, folder, "slurmctld", "-D", "-f", str(config))
        start(daemons, folder, "slurmd", "-D", "-f", str(config))
        environment = {**os.environ, "SLURM_CONF": str(config)}

        def is_up() -> bool:
            command = ["sinfo", "--noheader", "--format=%T"]
            done = subprocess.run(command, env=environment, capture_output=True, check=False)
            return done.stdout.strip() == b"idle"

        wait_for(is_up)
        yield config


def start(daemons: ExitStack, folder: Path, *command: str) -> None:
    with (folder / f"{command[0]}.out").open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out)
    daemons.callback(process.wait, 20)
    daemons.callback(process.terminate)


def free_ports(count: int) -> list[int]:
    with ExitStack() as opened:
        sockets = [
            opened.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)
        ]
        return [each.getsockname()[1] for each in sockets]


def wait_for(condition: Callable[[], bool], within_s: float = 20) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)

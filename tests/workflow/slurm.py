"""A Slurm of one node on this machine, for tests: its daemons listen on loopback only, and nothing is accounted."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tiny import ROOT

CONFIG = Path("/etc/slurm")
"""Where Slurm's commands look inside a job; the plugin takes SLURM_CONF away there."""

DAEMONS = {
    "munged": "munged --foreground --force --key-file {folder}/munge.key --socket {folder}/munge.socket"
    " --pid-file {folder}/munged.pid --log-file {folder}/munged.log --seed-file {folder}/munged.seed",
    "slurmctld": "slurmctld -D",
    "slurmd": "slurmd -D -N {host}",
}
"""Commands of the daemons, in the order of their start."""

SETTINGS = """
ClusterName=onebox
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
MinJobAge=3600
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory}
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE
"""
"""Accounting would need a database. RealMemory, in MiB, is what jobs may ask for, and is not enforced."""

NO_CGROUPS = "CgroupPlugin=cgroup/v1\nCgroupAutomount=no\nConstrainCores=no\nConstrainRAMSpace=no\n"


PROFILE = ["--workflow-profile", str(ROOT / "profiles/slurm"), "--jobs", "2", "--slurm-no-account"]
PROFILE += ["--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "1"]
PROFILE += ["--seconds-between-status-checks", "2"]
"""The profile of the project, for so small a Slurm: without accounting it knows of jobs by squeue."""


def missing() -> str:
    """Why there can be no Slurm here, empty if there can be one."""
    absent = [command for command in (*DAEMONS, "sbatch") if not shutil.which(command)]
    if absent:
        return f"no {', '.join(absent)} here (Debian: slurm-wlm and munge)"
    if os.geteuid() != 0:
        return "a Slurm of one's own needs root"
    return "/etc/slurm is another Slurm's" if (CONFIG / "slurm.conf").exists() else ""


def wait_for(what: str, ready: Callable[[], object], seconds: float = 120) -> None:
    """Wait until `ready` says so.

    Raises
    ------
    TimeoutError : it does not within these `seconds`.
    """
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.3)


def said(*command: str) -> str:
    """What a command prints, empty if it fails."""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


class Slurm:
    """The daemons, from entering the context to leaving it, with all they write in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.host = folder, socket.gethostname().split(".")[0]
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> "Slurm":
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
        settings = SETTINGS.format(folder=self.folder, host=self.host, cores=os.cpu_count(), memory=memory * 3 // 4)
        CONFIG.mkdir(exist_ok=True)
        (CONFIG / "slurm.conf").write_text(settings)
        (CONFIG / "cgroup.conf").write_text(NO_CGROUPS)
        try:
            for name in DAEMONS:
                self.start(name)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        said("scancel", "--user", "root")
        for process in reversed(self.running.values()):
            process.terminate()
            process.wait(30)
        for name in ("slurm.conf", "cgroup.conf"):
            (CONFIG / name).unlink()

    def start(self, name: str) -> None:
        """Start a daemon, and wait until it answers."""
        command = DAEMONS[name].format(folder=self.folder, host=self.host).split()
        with (self.folder / f"{name}.out").open("ab") as out:
            self.running[name] = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
        answers = {
            "munged": lambda: (self.folder / "munge.socket").exists(),
            "slurmctld": lambda: said("scontrol", "ping").endswith("UP"),
            "slurmd": lambda: said("sinfo", "--noheader", "--format=%t") in ("idle", "mix", "alloc"),
        }
        wait_for(name, answers[name])

    def restart(self, name: str) -> None:
        """Kill a daemon at once, as a power cut does, and start it again; jobs go on meanwhile."""
        self.running[name].send_signal(signal.SIGKILL)
        self.running[name].wait()
        self.start(name)

    def jobs(self) -> list[str]:
        """Ids of the jobs, and of the tasks of arrays, that run now."""
        return said("squeue", "--noheader", "--states=running", "--format=%i").split()

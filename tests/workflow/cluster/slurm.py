"""A Slurm cluster on this machine only: five daemons on the loopback, with all their state in one folder."""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

DAEMONS = ("munged", "mariadbd", "mariadb-install-db", "slurmdbd", "slurmctld", "slurmd")
SYSTEM = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"

CONF = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld}
SlurmdPort={slurmd}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={state}/munge.sock
StateSaveLocation={state}/ctld
SlurmdSpoolDir={state}/slurmd
SlurmctldPidFile={state}/slurmctld.pid
SlurmdPidFile={state}/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={dbd}
AccountingStoragePass={state}/munge.sock
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={megabytes} State=UNKNOWN
PartitionName=short Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""

DBD_CONF = """
AuthType=auth/munge
AuthInfo=socket={state}/munge.sock
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={dbd}
SlurmUser=root
PidFile={state}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={mysql}
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm_acct
"""


def missing():
    """Say why no cluster can be started here; the empty string if one can."""
    absent = [name for name in DAEMONS if not shutil.which(name, path=SYSTEM)]
    if absent:
        return f"not installed: {', '.join(absent)} (.ci/install-slurm)"
    return "" if os.geteuid() == 0 else "only root can start slurmd"


class Slurm:
    """One controller, accounting and one node; a context manager that starts all of it and ends it by process id.

    Attributes
    ----------
    variables : dict of str to str
        What ``sbatch``, ``sacct`` and the others need in their environment to find this cluster and no other.
    """

    def __init__(self):
        self.ending = ExitStack()

    def __enter__(self):
        with self.ending:
            self._start()
            self.ending = self.ending.pop_all()
        return self

    def __exit__(self, *error):
        self.ending.close()

    def command(self, *words, wait=60):
        """Run a command of the cluster until it succeeds; return what it printed."""
        deadline = time.monotonic() + wait
        while True:
            done = subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return done.stdout
            if time.monotonic() > deadline:
                raise RuntimeError(f"{' '.join(words)}: {done.stderr}\n{self.logs()}")
            time.sleep(0.2)

    def fail_next_step(self):
        """Let the next job step fail before it starts, as on a node with a fault."""
        (self.state / "fail").touch()

    def logs(self):
        """Return the last lines of what every daemon said."""
        return "\n".join(
            f"--- {log.name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-8:])
            for log in sorted(self.state.glob("*.log"))
        )

    def _start(self):
        self.state = Path(self.ending.enter_context(tempfile.TemporaryDirectory(prefix="slurm-", dir="/tmp")))
        self.state.chmod(0o755)
        host = socket.gethostname().split(".")[0]
        ports = dict(zip(("mysql", "dbd", "ctld", "slurmd"), free_ports(4)))
        megabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
        values = {"state": self.state, "host": host, "cpus": os.cpu_count(), "megabytes": megabytes, **ports}
        for name, text in (("slurm.conf", CONF), ("slurmdbd.conf", DBD_CONF)):
            (self.state / name).write_text(text.format(**values))
            (self.state / name).chmod(0o600)
        for name in ("ctld", "slurmd", "mysql"):
            (self.state / name).mkdir()
        conf = self.state / "slurm.conf"
        self.variables = {"PATH": f"{self.state}/bin:{SYSTEM}", "SLURM_CONF": str(conf)}
        self._wrap_srun(conf)
        self.environment = {**os.environ, **self.variables}
        self._start_munge()
        self._start_database(ports["mysql"])
        self._daemon("slurmdbd", "-D")
        self.command("sacctmgr", "-i", "add", "cluster", "test")
        self.command("sacctmgr", "-i", "add", "account", "lab", "Cluster=test")
        self.command("sacctmgr", "-i", "add", "user", "root", "Account=lab")
        self._daemon("slurmctld", "-D", "-c")
        self._daemon("slurmd", "-D", "-c", "-N", host)
        self.command("sh", "-c", "sinfo -h -o %T | grep -q idle")

    def _wrap_srun(self, conf):
        """Let srun find this cluster: the plugin starts srun without the variables SLURM_* and expects /etc/slurm."""
        wrapper = self.state / "bin" / "srun"
        wrapper.parent.mkdir()
        fail = f"rm '{self.state}/fail' 2>/dev/null && exit 1"
        wrapper.write_text(f'#!/bin/sh\n{fail}\nSLURM_CONF={conf} exec {shutil.which("srun")} "$@"\n')
        wrapper.chmod(0o755)

    def _start_munge(self):
        key = self.state / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        files = [f"--{kind}-file={self.state}/munge.{kind}" for kind in ("key", "pid", "seed", "log")]
        self._daemon("munged", "--foreground", "--force", f"--socket={self.state}/munge.sock", *files)
        self.command("munge", "-n", f"--socket={self.state}/munge.sock")

    def _start_database(self, port):
        data = f"--datadir={self.state}/mysql"
        install = ["mariadb-install-db", "--no-defaults", data, "--user=root", "--skip-test-db"]
        self.command(*install, "--auth-root-authentication-method=normal", wait=0)
        socket_file = f"--socket={self.state}/mysql.sock"
        place = [f"--port={port}", "--bind-address=127.0.0.1", socket_file, f"--pid-file={self.state}/mysql.pid"]
        self._daemon("mariadbd", "--no-defaults", "--user=root", data, *place, "--innodb-buffer-pool-size=64M")
        grant = "GRANT ALL ON slurm_acct.* TO slurm@'127.0.0.1' IDENTIFIED BY 'slurm'"
        self.command("mariadb", "--no-defaults", socket_file, "--user=root", "-e", grant)

    def _daemon(self, name, *arguments):
        log = self.ending.enter_context((self.state / f"{name}.log").open("wb"))
        command = [shutil.which(name, path=SYSTEM), *arguments]
        process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, start_new_session=True)
        self.ending.callback(end, process)


def end(process, seconds=15):
    """End a process that was started here: by SIGTERM, and after `seconds` by SIGKILL."""
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_ports(count):
    """Return ports of the loopback that nobody uses now."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [each.getsockname()[1] for each in sockets]

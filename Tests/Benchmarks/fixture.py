"""A private sshd; vt and ssh use the same key and known host, and none of the user's files."""

import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Fixture:
    """The environment of the benchmarks; a context manager that stops everything it started."""

    def __init__(self, scratch, vt):
        self.scratch = pathlib.Path(scratch)
        self.vt = self._install(vt)
        self.user = getpass.getuser()
        self.key = str(self.scratch / "key")
        self.ssh_config = str(self.scratch / "ssh_config")
        self.processes = []
        self.profiles = {}
        (self.scratch / "home").mkdir()
        self.environment = {
            "HOME": str(self.scratch / "home"),
            "VT_HOME": str(self.scratch / "vt"),
            "PATH": f"{pathlib.Path(self.vt).parent}:{SEARCH_PATH}",
            "USER": self.user,
            # Connections are shared only in the benchmarks of shared connections.
            "VT_SHARE": "off",
        }

    def _install(self, vt):
        """Copy the binary, as `make install` does, and return the path of the copy.

        The page cache holds a file that the linker has written in small pieces in small pages, so it starts a fifth
        more slowly.
        """
        (self.scratch / "bin").mkdir()
        return shutil.copy(vt, str(self.scratch / "bin" / "vt"))

    def __enter__(self):
        try:
            self.port = self._start_server()
            self._write_ssh_config()
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            process.wait()

    def data_file(self, size):
        """Create a sparse file of zeros, and return its path."""
        path = self.scratch / f"zeros-{size}"
        path.touch()
        os.truncate(path, size)
        return str(path)

    def random_file(self, size):
        """Create a file that is neither sparse nor compressible, and return its path."""
        path = self.scratch / f"random-{size}"
        if not path.exists():
            with path.open("wb") as file:
                for _ in range(size >> 20):
                    file.write(os.urandom(1 << 20))
        return str(path)

    def tree(self, count):
        """Create a directory with small files, 100 in each directory below it, and return its path."""
        root = self.scratch / f"tree-{count}"
        for number in range(count):
            path = root / str(number // 100) / str(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(os.urandom(number * 7919 % 4096))
        return str(root)

    def install_vt(self):
        """Put vt where vt looks for it on a server."""
        path = self.scratch / "home" / ".local" / "bin" / "vt"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(self.vt)

    def free_port(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            return free.getsockname()[1]

    def web_server(self, directory):
        """Serve a directory over HTTP, and return the port."""
        port = self.free_port()
        words = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(directory), str(port)]
        self.processes.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        self._wait_for(port)
        return port

    def relay(self, delay_ms):
        """Start a relay that delays both directions, and return its port."""
        program = pathlib.Path(__file__).with_name("relay.py")
        words = [sys.executable, "-B", str(program), str(self.port), str(delay_ms)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        return int(process.stdout.readline())

    def profile(self, name, port=None):
        """Create the profile if it does not exist, make the server's key known to vt, and return the profile's name."""
        if name not in self.profiles:
            port = port or self.port
            address = f"{self.user}@127.0.0.1:{port}"
            self._call([self.vt, "profile", "add", name, address, "--identity", self.key, "--no-agent"])
            if port not in self.profiles.values():
                self._call([self.vt, "-q", "exec", name, "true"])
            self.profiles[name] = port
        return name

    def many(self, count):
        """Create missing profiles h1, h2 and so on, and return their names."""
        self.profile("h1")
        names = [f"h{number}" for number in range(1, count + 1)]
        missing = [name for name in names if name not in self.profiles]
        config = self.scratch / "import"
        config.write_text(
            "".join(
                f"Host {name}\nHostName 127.0.0.1\nPort {self.port}\nUser {self.user}\nIdentityFile {self.key}\n"
                for name in missing
            )
        )
        if missing:
            self._call([self.vt, "-q", "profile", "import", str(config)])
        self.profiles.update((name, self.port) for name in missing)
        return names

    def ssh(self, host="h1", port=None):
        """The `ssh` command line up to the remote command."""
        return ["ssh", "-F", self.ssh_config] + (["-p", str(port)] if port else []) + [host]

    def _call(self, words):
        subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)

    def _start_server(self):
        host_key = str(self.scratch / "host_key")
        for path in (self.key, host_key):
            self._call(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path])
        if os.getuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        port = self.free_port()
        config = self.scratch / "sshd_config"
        config.write_text(
            f"""
            ListenAddress 127.0.0.1:{port}
            HostKey {host_key}
            AuthorizedKeysFile {self.key}.pub
            PidFile none
            StrictModes no
            UsePAM no
            UseDNS no
            PasswordAuthentication no
            PermitRootLogin yes
            PrintMotd no
            MaxStartups 2000:30:4000
            MaxSessions 1000
            LogLevel ERROR
            Subsystem sftp internal-sftp
            SetEnv HOME={self.scratch}/home
            """
        )
        log = str(self.scratch / "sshd.log")
        self.processes.append(subprocess.Popen(["/usr/sbin/sshd", "-D", "-E", log, "-f", str(config)]))
        self._wait_for(port)
        key_line = pathlib.Path(host_key + ".pub").read_text()
        (self.scratch / "known_hosts").write_text(f"bench {key_line}")
        return port

    def _wait_for(self, port):
        for _ in range(1000):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except ConnectionRefusedError:
                time.sleep(0.01)

    def _write_ssh_config(self):
        pathlib.Path(self.ssh_config).write_text(
            f"""
            Host *
            HostName 127.0.0.1
            HostKeyAlias bench
            Port {self.port}
            User {self.user}
            IdentityFile {self.key}
            IdentitiesOnly yes
            UserKnownHostsFile {self.scratch}/known_hosts
            GlobalKnownHostsFile none
            StrictHostKeyChecking yes
            BatchMode yes
            LogLevel ERROR
            """
        )

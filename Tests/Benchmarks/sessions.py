"""The benchmarks of sessions: each runs vt, tmux and dtach in turn on the same programs and returns the figures."""

import contextlib
import dataclasses
import os
import pathlib
import pty
import select
import shlex
import signal
import statistics
import subprocess
import tempfile
import time
import typing

from measure import run_once

LINE = b"%08d " + b"x" * 61 + b"\n"
MEGABYTE = 1_000_000


class Peer:
    """A program that manages sessions; the caller must choose unique names."""

    def __init__(self, scratch, environment):
        self.scratch = pathlib.Path(scratch)
        self.environment = environment

    def call(self, *words):
        subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


class VT(Peer):
    name = "vt"

    def __init__(self, scratch, environment, vt):
        super().__init__(scratch, environment)
        self.vt = vt

    def create(self, name, *command):
        self.call(self.vt, "sessions", "create", name, "--", *command)

    def attach_words(self, name):
        return [self.vt, "attach", name]

    def list_words(self):
        return [self.vt, "sessions", "list"]

    def send_words(self, name):
        return [self.vt, "sessions", "send", name, "text", "--enter"]

    def exec_words(self, name, number):
        return [self.vt, "sessions", "exec", name, f"echo {number}"]

    def screen_words(self, name):
        return [self.vt, "sessions", "screen", name]

    def version_words(self):
        return [self.vt, "version"]

    def kill(self, *names):
        self.call(self.vt, "-q", "sessions", "kill", *names)
        self.call(self.vt, "-q", "sessions", "cleanup", *names)

    def mux_servers(self):
        """Return the PIDs of the session holders."""
        return children_of_nobody(self.vt)


class Tmux(Peer):
    name = "tmux"

    def __init__(self, scratch, environment):
        super().__init__(scratch, environment)
        self.words = ["tmux", "-S", str(self.scratch / "tmux"), "-f", "/dev/null"]
        # Start the server before anything is measured.
        self.call(*self.words, "new-session", "-d", "-s", "keep", "cat")

    def create(self, name, *command):
        self.call(*self.words, "new-session", "-d", "-s", name, *command)

    def attach_words(self, name):
        return self.words + ["attach", "-t", name]

    def list_words(self):
        return self.words + ["list-sessions"]

    def send_words(self, name):
        return self.words + ["send-keys", "-t", name, "text", "Enter"]

    def exec_words(self, name, number):
        # Without marks, a script polls the screen until a line appears that the command prints last.
        script = (
            f"{self.call_text} send-keys -t {name} 'echo {number}; echo end-{number}-$?' Enter; "
            f"until {self.call_text} capture-pane -p -t {name} | grep -q '^end-{number}-[0-9]'; do :; done"
        )
        return ["sh", "-c", script]

    @property
    def call_text(self):
        return shlex.join(self.words)

    def screen_words(self, name):
        return self.words + ["capture-pane", "-p", "-t", name]

    def version_words(self):
        return ["tmux", "-V"]

    def kill(self, *names):
        for name in names:
            self.call(*self.words, "kill-session", "-t", name)

    def close(self):
        self.call(*self.words, "kill-server")


class Dtach(Peer):
    name = "dtach"

    def create(self, name, *command):
        self.call("dtach", "-n", self._socket(name), *command)

    def attach_words(self, name):
        return ["dtach", "-a", self._socket(name)]

    def kill(self, *names):
        for name in names:
            subprocess.run(["pkill", "-f", self._socket(name)], check=False)

    def _socket(self, name):
        return str(self.scratch / f"dtach-{name}")


@contextlib.contextmanager
def peers(fixture):
    # Use a new directory each time, because the socket of a stopped tmux server may still exist.
    scratch = tempfile.mkdtemp(dir=fixture.scratch)
    vt = VT(scratch, fixture.environment, fixture.vt)
    tmux = Tmux(scratch, fixture.environment)
    try:
        yield [vt, tmux, Dtach(scratch, fixture.environment)]
    finally:
        tmux.close()


def medians(measured):
    return {name: statistics.median(values) for name, values in measured.items()}


def rounds_of(kept, count, measure):
    """Call `measure(peer, round)` for each program in turn; return the medians by name."""
    measured = {peer.name: [] for peer in kept}
    for number in range(count + 1):
        for peer in kept:
            value = measure(peer, number)
            if number:  # the first round is a warm-up
                measured[peer.name].append(value)
    return medians(measured)


def verb(words, program="cat"):
    """Measure a command of vt and tmux, with a session `v` that runs `program`; `words` gets the round, too."""

    def measure_verb(fixture, short):
        with peers(fixture) as kept:
            kept = kept[:2]
            for peer in kept:
                peer.create("v", program)
            result = rounds_of(
                kept,
                2 if short else 101,
                lambda peer, number: run_once(words(peer, number), fixture.environment)["wall_ms"],
            )
            for peer in kept:
                peer.kill("v")
            return result

    return measure_verb


def create(fixture, short):
    def measure(peer, number):
        started = time.perf_counter()
        peer.create(f"c{number}", "cat")
        elapsed = (time.perf_counter() - started) * 1000
        peer.kill(f"c{number}")
        return elapsed

    with peers(fixture) as kept:
        return rounds_of(kept, 2 if short else 101, measure)


def drain(fixture, short):
    """Measure the output throughput of a detached session in MB/s; only vt keeps all output."""
    size = (2 if short else 100) * MEGABYTE
    data = fixture.scratch / "lines"
    data.write_bytes(b"".join(LINE % number for number in range(size // 71)))

    def measure(peer, number):
        done = fixture.scratch / f"done-{peer.name}-{number}"
        os.mkfifo(done)
        started = time.perf_counter()
        peer.create(f"d{number}", "sh", "-c", f"cat {data}; echo >{done}; exec sleep 60")
        done.read_bytes()
        elapsed = time.perf_counter() - started
        peer.kill(f"d{number}")
        return size / MEGABYTE / elapsed

    with peers(fixture) as kept:
        return rounds_of(kept, 1 if short else 5, measure)


def attach(fixture, short):
    """Measure the time from starting the client on a pseudo-terminal to its first byte of output."""

    def measure(peer, number):
        started = time.perf_counter()
        process, terminal = pty.fork()
        if process == 0:
            words = peer.attach_words("a")
            os.execvpe(words[0], words, {**fixture.environment, "TERM": "xterm-256color"})
        select.select([terminal], [], [], 10)
        elapsed = (time.perf_counter() - started) * 1000
        os.kill(process, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(process, 0)
        return elapsed

    with peers(fixture) as kept:
        for peer in kept:
            peer.create("a", "sh", "-c", "echo ready; exec cat")
        result = rounds_of(kept, 2 if short else 101, measure)
        for peer in kept:
            peer.kill("a")
        return result


def list_all(fixture, short):
    """Measure the time to list many idle sessions, and the memory per session (KiB of anonymous pages)."""
    count = 20 if short else 1000
    names = [f"l{number}" for number in range(count)]
    with peers(fixture) as kept:
        kept = kept[:2]
        for peer in kept:
            for name in names:
                peer.create(name, "sleep", "1000")

        def measure(peer, number):
            started = time.perf_counter()
            peer.call(*peer.list_words())
            return (time.perf_counter() - started) * 1000

        result = rounds_of(kept, 1 if short else 11, measure)
        result["vt_anonymous_kib"] = statistics.median(anonymous_memory(pid) for pid in kept[0].mux_servers())
        kept[0].kill(*names)
        return result


def children_of_nobody(program):
    """Return the PIDs of the session holders that run this program."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if os.readlink(entry / "exe") == program and b"hold" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return found


def anonymous_memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon:"))


@dataclasses.dataclass
class SessionCase:
    name: str
    summary: str
    unit: str
    measure: typing.Callable
    # The performance required of vt, as text.
    bar: str

    def run(self, fixture, short):
        return {
            "name": self.name,
            "summary": self.summary,
            "unit": self.unit,
            "bar": self.bar,
            "figures": self.measure(fixture, short),
        }


CASES = [
    SessionCase("version", "printing the version", "ms", verb(lambda peer, _: peer.version_words()), "1.1 x tmux"),
    SessionCase("send", "sending a line", "ms", verb(lambda peer, _: peer.send_words("v")), "tmux"),
    SessionCase(
        "exec",
        "running a line in a live shell, against polling for its end",
        "ms",
        verb(lambda peer, number: peer.exec_words("v", number), "bash"),
        "12 ms, tmux",
    ),
    SessionCase("screen", "printing the screen", "ms", verb(lambda peer, _: peer.screen_words("v")), "tmux"),
    SessionCase("list-few", "listing two sessions or fewer", "ms", verb(lambda peer, _: peer.list_words()), "tmux"),
    SessionCase("create", "creating a session that runs cat", "ms", create, "10 ms, 1.3 x tmux"),
    SessionCase("drain", "100 MB of output while detached", "MB/s", drain, "50, 3 x tmux"),
    SessionCase("attach", "the time from attaching to the first byte", "ms", attach, "5 ms, tmux"),
    SessionCase("list", "listing 1,000 idle sessions", "ms", list_all, "50 ms, 1024 KiB"),
]

"""The benchmarks of connections: each runs vt and ssh in turn and returns the figures."""

import dataclasses
import typing

from measure import alternate, peak_memory, run_once

GIGABYTE = 1 << 30
# The delay in each direction; a round trip takes twice as long.
DELAY_MS = 20


@dataclasses.dataclass
class Case:
    name: str
    summary: str
    measure: typing.Callable
    rounds: int
    short_rounds: int
    # The maximum ratios to ssh: "wall" for wall time, "cpu" for CPU time.
    bars: dict = dataclasses.field(default_factory=dict)

    def run(self, fixture, short):
        result = self.measure(fixture, self.short_rounds if short else self.rounds, short)
        return {"name": self.name, "summary": self.summary, "bars": self.bars, **result}


def start_up(fixture, rounds, short):
    return alternate(
        lambda: run_once([fixture.vt, "version"], fixture.environment),
        lambda: run_once(["ssh", "-V"], fixture.environment),
        rounds,
    )


def cold(fixture, rounds, short, port=None):
    profile = fixture.profile(f"cold-{port}" if port else "h1", port)
    result = alternate(
        lambda: run_once([fixture.vt, "exec", profile, "true"], fixture.environment),
        lambda: run_once(fixture.ssh(port=port) + ["true"], fixture.environment),
        rounds,
    )
    result["vt"]["peak_kib"] = peak_memory([fixture.vt, "exec", profile, "cat"], fixture.environment)
    result["ssh"]["peak_kib"] = peak_memory(fixture.ssh(port=port) + ["cat"], fixture.environment)
    return result


def warm(fixture, rounds, short, port=None):
    """Commands on a connection that is already open: of vt's mux server, or of ssh with ControlMaster."""
    profile = fixture.profile(f"cold-{port}" if port else "h1", port)
    sharing = fixture.environment | {"VT_SHARE": "60s"}
    control = ["-o", "ControlMaster=auto", "-o", "ControlPersist=60", "-o", f"ControlPath={fixture.scratch}/%C"]
    ssh = fixture.ssh(port=port)
    ssh = ssh[:-1] + control + ssh[-1:]
    result = alternate(
        lambda: run_once([fixture.vt, "exec", profile, "true"], sharing),
        lambda: run_once(ssh + ["true"], sharing),
        rounds,
    )
    run_once([fixture.vt, "profile", "connections", "--close"], sharing)
    run_once(ssh[:-1] + ["-q", "-O", "exit"] + ssh[-1:], sharing)
    return result


def warm_delayed(fixture, rounds, short):
    return warm(fixture, rounds, short, fixture.relay(DELAY_MS))


def remote_verb(vt_words, tmux_words=None, delayed=False):
    """A verb of a session on a server, over an open connection, against the same verb here, or against tmux there."""

    def measure(fixture, rounds, short):
        port = fixture.relay(DELAY_MS) if delayed else None
        profile = fixture.profile(f"relay-{port}" if delayed else "h1", port)
        fixture.install_vt()
        sharing = fixture.environment | {"VT_SHARE": "60s"}
        ssh = fixture.ssh(port=port)
        control = ["-o", "ControlMaster=auto", "-o", "ControlPersist=60", "-o", f"ControlPath={fixture.scratch}/%C"]
        ssh = ssh[:-1] + control + ssh[-1:]
        tmux = ["tmux", "-f", "/dev/null"]
        vt = [fixture.vt, "sessions"]
        names = {"there": f"{profile}:v", "server": profile}
        far = vt + [word.format(**names) for word in vt_words]
        near = vt + [word.format(there="v", server="local") for word in vt_words]
        other = ssh + tmux + tmux_words if tmux_words else near
        for name in ("v", f"{profile}:v"):
            run_once(vt + ["create", "--if-exists", "ok", name, "--", "cat"], sharing)
        if tmux_words:
            run_once(ssh + tmux + ["new-session", "-d", "-s", "v", "cat"], sharing)
        result = alternate(lambda: run_once(far, sharing), lambda: run_once(other, sharing), rounds)
        if tmux_words:
            run_once(ssh + tmux + ["kill-server"], sharing)
            run_once(ssh[:-1] + ["-q", "-O", "exit"] + ssh[-1:], sharing)
        run_once(vt + ["kill", "v", f"{profile}:v", "--remove"], sharing)
        run_once([fixture.vt, "profile", "connections", "--close"], sharing)
        return result

    return measure


REMOTE_VERBS = {
    "list": (["list", "{server}"], ["list-sessions"]),
    "send": (["send", "{there}", "x", "--enter"], ["send-keys", "-t", "v", "x", "Enter"]),
    "screen": (["screen", "{there}"], ["capture-pane", "-p", "-t", "v"]),
}


def cold_delayed(fixture, rounds, short):
    return cold(fixture, rounds, short, fixture.relay(DELAY_MS))


def targets(count, short_count, peer=None):
    """Many targets, against xargs with ssh, or against a program that takes a file of host names."""

    def measure(fixture, rounds, short):
        names = fixture.many(short_count if short else count)
        hosts = fixture.scratch / f"hosts-{len(names)}"
        hosts.write_text("".join(f"{name}\n" for name in names))
        words = ["xargs", "-P", "64", "-I{}", "-a", str(hosts)] + fixture.ssh("{}") + ["true"]
        if peer:
            words = [word.format(hosts=hosts, config=fixture.ssh_config) for word in peer] + ["true"]
        result = alternate(
            lambda: run_once([fixture.vt, "exec", ",".join(names), "true"], fixture.environment),
            lambda: run_once(words, fixture.environment),
            rounds,
        )
        # This figure should be independent of the number of targets.
        result["vt"]["cpu_ms_per_target"] = result["vt"]["cpu_ms"] / len(names)
        together = names[:64]
        result["vt"]["peak_kib"] = peak_memory(
            [fixture.vt, "exec", ",".join(together), "cat"], fixture.environment, answers=len(together)
        )
        return result

    return measure


def stream(upload, delayed):
    def measure(fixture, rounds, short):
        size = 16 << 20 if short else GIGABYTE
        port = fixture.relay(DELAY_MS) if delayed else None
        profile = fixture.profile(f"relay-{port}" if delayed else "h1", port)
        data = fixture.data_file(size)
        command = "cat >/dev/null" if upload else f"cat {data}"
        stdin = data if upload else "/dev/null"
        result = alternate(
            lambda: run_once([fixture.vt, "exec", profile, command], fixture.environment, stdin),
            lambda: run_once(fixture.ssh(port=port) + [command], fixture.environment, stdin),
            rounds,
        )
        for client in ("vt", "ssh"):
            result[client]["mb_per_s"] = size / 1e3 / result[client]["wall_ms"]
        return result

    return measure


PSSH = ["parallel-ssh", "-p", "64", "-t", "0", "-h", "{hosts}", "-x", "-F {config}"]
CLUSH = ["clush", "-q", "-f", "64", "--hostfile", "{hosts}", "-o", "-F {config}"]

REMOTE_CASES = [
    case
    for name, (vt_words, tmux_words) in REMOTE_VERBS.items()
    for case in (
        Case(f"remote-{name}", f"sessions {name} on a server, against this machine", remote_verb(vt_words), 101, 2),
        Case(
            f"remote-{name}-tmux",
            f"sessions {name} on a server, against ssh with ControlMaster and tmux",
            remote_verb(vt_words, tmux_words),
            31,
            2,
            {"wall": 0.75},
        ),
        Case(
            f"remote-{name}-20ms",
            f"sessions {name} on a server through a relay, 20 ms each way, against ssh and tmux",
            remote_verb(vt_words, tmux_words, delayed=True),
            11,
            1,
            {"wall": 1.0},
        ),
    )
]

CASES = [
    Case("start-up", "vt version, ssh -V", start_up, 101, 3, {"wall": 0.4}),
    Case("cold", "exec true on a new connection", cold, 31, 2, {"wall": 0.25, "cpu": 0.15}),
    Case("warm", "exec true on an open connection, against ssh with ControlMaster", warm, 101, 2, {"wall": 0.6}),
    Case("warm-20ms", "exec true on an open connection through a relay, 20 ms each way", warm_delayed, 11, 1),
    Case("cold-20ms", "exec true on a new connection through a relay, 20 ms each way", cold_delayed, 11, 1),
    Case("targets-64", "exec true on 64 targets, against xargs -P64 ssh", targets(64, 4), 7, 1, {"wall": 0.25}),
    Case("targets-256", "exec true on 256 targets, against xargs -P64 ssh", targets(256, 8), 3, 1),
    Case("targets-1000", "exec true on 1,000 targets, against xargs -P64 ssh", targets(1000, 12), 1, 1),
    Case("pssh-1000", "exec true on 1,000 targets, against parallel-ssh", targets(1000, 4, PSSH), 1, 1),
    Case("clush-1000", "exec true on 1,000 targets, against clush", targets(1000, 4, CLUSH), 1, 1),
    Case("down", "1 GiB from cat", stream(False, False), 5, 1, {"wall": 1.45}),
    Case("up", "1 GiB to cat", stream(True, False), 5, 1, {"wall": 1.45}),
    Case("down-20ms", "1 GiB from cat through the relay", stream(False, True), 3, 1, {"wall": 1.0}),
    Case("up-20ms", "1 GiB to cat through the relay", stream(True, True), 3, 1, {"wall": 1.0}),
] + REMOTE_CASES

"""The benchmarks of files and forwards: each runs vt and a program of OpenSSH in turn."""

import pathlib
import tempfile

from cases import DELAY_MS, GIGABYTE, Case
from measure import alternate, run_once


def clear(path):
    """Remove a file, or move a directory out of the way.

    For 5 seconds, ext4 does not reuse the inodes of deleted files, and every new file has to search past them, which
    takes longer than the rest of the copy.
    """
    path = pathlib.Path(path)
    if path.is_dir():
        path.rename(tempfile.mkdtemp(dir=path.parent))
    else:
        path.unlink(missing_ok=True)


def copying(fixture, target, first, second, rounds):
    """Measure two copies to `target`, which does not exist before either of them."""

    def run(words):
        clear(target)
        return run_once(words, fixture.environment)

    return alternate(lambda: run(first), lambda: run(second), rounds)


def large(upload):
    def measure(fixture, rounds, short):
        size = 16 << 20 if short else GIGABYTE
        data = fixture.random_file(size)
        profile = fixture.profile("h1")
        target = f"{fixture.scratch}/copy"
        vt = (data, f"{profile}:{target}") if upload else (f"{profile}:{data}", target)
        scp = (data, f"h1:{target}") if upload else (f"h1:{data}", target)
        result = copying(
            fixture,
            target,
            [fixture.vt, "copy", *vt],
            ["scp", "-q", "-F", fixture.ssh_config, *scp],
            rounds,
        )
        for client in ("vt", "ssh"):
            result[client]["mb_per_s"] = size / 1e3 / result[client]["wall_ms"]
        return result

    return measure


def small(upload, count, short_count, delayed=False):
    """Many small files, against sftp(1), or against scp(1) through the relay."""

    def measure(fixture, rounds, short):
        tree = fixture.tree(short_count if short else count)
        port = fixture.relay(DELAY_MS) if delayed else None
        profile = fixture.profile(f"relay-{port}" if delayed else "h1", port)
        target = f"{fixture.scratch}/copy"
        if delayed:
            peer = ["scp", "-q", "-r", "-F", fixture.ssh_config, "-P", str(port)]
            peer += [tree, f"h1:{target}"] if upload else [f"h1:{tree}", target]
        else:
            batch = fixture.scratch / "batch"
            verb = "put" if upload else "get"
            # sftp copies a directory into an existing one.
            batch.write_text(f"{'mkdir' if upload else 'lmkdir'} {target}\n{verb} -r {tree} {target}\n")
            peer = ["sftp", "-q", "-F", fixture.ssh_config, "-b", str(batch), "h1"]
        vt = [tree, f"{profile}:{target}"] if upload else [f"{profile}:{tree}", target]
        return copying(fixture, target, [fixture.vt, "copy", "-r", *vt], peer, rounds)

    return measure


def forward(fixture, rounds, short):
    size = 16 << 20 if short else GIGABYTE
    data = pathlib.Path(fixture.data_file(size))
    server = fixture.web_server(data.parent)
    port = fixture.free_port()
    profile = fixture.profile("h1")
    line = f"curl -sf -o /dev/null http://$VT_FORWARD_1/{data.name}"
    ssh = " ".join(fixture.ssh()[:-1]) + f" -N -L {port}:127.0.0.1:{server} h1"
    script = (
        f"{ssh} & until (: </dev/tcp/127.0.0.1/{port}) 2>/dev/null; do sleep 0.01; done; "
        f"curl -sf -o /dev/null http://127.0.0.1:{port}/{data.name}; status=$?; kill $!; wait; exit $status"
    )
    result = alternate(
        lambda: run_once(
            [fixture.vt, "forward", profile, "-L", f"0:127.0.0.1:{server}", "--exec", line], fixture.environment
        ),
        lambda: run_once(["bash", "-c", script], fixture.environment),
        rounds,
    )
    for client in ("vt", "ssh"):
        result[client]["mb_per_s"] = size / 1e3 / result[client]["wall_ms"]
    return result


CASES = [
    Case("copy-up", "1 GiB to a server, against scp", large(True), 5, 1, {"wall": 1.2}),
    Case("copy-down", "1 GiB from a server, against scp", large(False), 5, 1, {"wall": 1.2}),
    Case("small-up", "5,000 small files to a server, against sftp", small(True, 5000, 50), 3, 1, {"wall": 0.33}),
    Case("small-down", "5,000 small files from a server, against sftp", small(False, 5000, 50), 3, 1, {"wall": 0.33}),
    Case("small-20ms", "100 small files through a relay, against scp", small(True, 100, 5, True), 1, 1, {"wall": 0.33}),
    Case("forward", "1 GiB over HTTP, against ssh -L", forward, 5, 1, {"wall": 1.45}),
]

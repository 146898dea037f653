"""The benchmarks of recording: each runs vt, script and asciinema in turn on the same command."""

import ctypes
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import time

from recordings import RecordingCase

LINE = b"%08d \033[3%dm" + b"x" * 55 + b"\033[m\n"
MEGABYTE = 1_000_000
PR_SET_CHILD_SUBREAPER = 36


def adopt():
    """Adopt orphaned descendants, so that their CPU time is counted (prctl(2))."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def children():
    """The child processes, including adopted ones (proc(5))."""
    path = pathlib.Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return {int(pid) for pid in path.read_text().split()}


def run(words, environment):
    """Return the wall and CPU time in seconds of a program and everything it started."""

    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    others = children()
    before, started = used(), time.perf_counter()
    null = subprocess.DEVNULL
    process = subprocess.Popen(words, env=environment, stdin=null, stdout=null, stderr=null)
    _, status = os.waitpid(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise RuntimeError(f"{' '.join(words)[:200]}: wait status {status}")
    for pid in children() - others:  # the session holder exits a moment later
        os.waitpid(pid, 0)
    return {"wall": wall, "cpu": used() - before}


def recorders(fixture, command):
    out = str(fixture.scratch / "out")
    quoted = " ".join(command)
    return {
        "vt": [fixture.vt, "record", "--force", "-o", out, "--", *command],
        "script": ["script", "-q", "-e", "-c", quoted, "-O", out, "-T", out + ".timing"],
        "asciinema": ["asciinema", "rec", "-q", "--overwrite", "-c", quoted, out],
    }


def compare(fixture, command, size, rounds):
    """Run all programs in turn; the first round is a warm-up."""
    adopt()
    environment = fixture.environment | {"LANG": "C.UTF-8", "TERM": "xterm-256color"}
    calls = {name: words for name, words in recorders(fixture, command).items() if shutil.which(words[0])}
    runs = {name: [] for name in calls}
    for number in range(rounds + 1):
        for name, words in calls.items():
            figures = run(words, environment)
            if number:
                runs[name].append(figures)
    result = {}
    for name, measured in runs.items():
        result[name] = {key: statistics.median(one[key] for one in measured) for key in measured[0]}
        result[name]["mb_per_s"] = size / MEGABYTE / result[name]["wall"]
    return result


def fast(fixture, short):
    size = (2 if short else 50) * MEGABYTE
    data = fixture.scratch / "lines"
    data.write_bytes(b"".join(LINE % (number, number % 8) for number in range(size // 74)))
    return compare(fixture, ["cat", str(data)], size, 1 if short else 5)


def small(fixture, short):
    """Measure the overhead of recording."""
    return compare(fixture, ["true"], 0, 1 if short else 20)


def steady(fixture, short):
    """Measure many small writes over time, as in a build, where the CPU time matters."""
    seconds = 1 if short else 5
    script = fixture.scratch / "steady"
    script.write_text(f"for i in $(seq {seconds * 100}); do echo line $i of output; sleep 0.01; done\n")
    return compare(fixture, ["sh", str(script)], seconds * 100 * 20, 1 if short else 3)


CASES = [
    RecordingCase("record", "a command that writes 50 MB as fast as it can", fast, ""),
    RecordingCase("record-true", "a command that does nothing", small, ""),
    RecordingCase("record-slow", "a command that writes a line every 10 ms for 5 s", steady, ""),
]

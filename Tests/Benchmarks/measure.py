"""Run programs and measure them."""

import os
import statistics
import subprocess
import time


class Failed(Exception):
    pass


def run_once(words, environment, stdin="/dev/null"):
    """Run a command; return wall and CPU time in milliseconds, including child processes."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
    ]
    if words[1:] == ["-V"]:
        # `ssh -V` prints the version to standard error.
        actions.append((os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0))
    started = time.perf_counter()
    pid = os.posix_spawnp(words[0], words, environment, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - started
    if status:
        raise Failed(f"{' '.join(words)[:200]}: wait status {status}")
    return {"wall_ms": wall * 1000, "cpu_ms": (usage.ru_utime + usage.ru_stime) * 1000}


def alternate(first, second, rounds):
    """Measure two calls in turn; return the medians of both and of the ratios of each round."""
    first(), second()
    pairs = [(first(), second()) for _ in range(rounds)]
    keys = ("wall_ms", "cpu_ms")
    return {
        "rounds": rounds,
        "vt": {key: statistics.median(one[key] for one, _ in pairs) for key in keys},
        "ssh": {key: statistics.median(two[key] for _, two in pairs) for key in keys},
        "ratio": {
            key.removesuffix("_ms"): statistics.median(one[key] / max(two[key], 0.001) for one, two in pairs)
            for key in keys
        },
    }


def peak_memory(words, environment, answers=1):
    """Run a command that ends in `cat`; return the peak resident memory in KiB after it has echoed one line.

    Read from VmHWM while the process is running: ru_maxrss includes the memory of the parent process.
    """
    process = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        process.stdin.write(b"x\n")
        process.stdin.flush()
        for _ in range(answers):
            if not process.stdout.readline():
                raise Failed(f"{' '.join(words)[:200]}: no response")
        with open(f"/proc/{process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait()

"""The benchmarks of recordings: vt and asciinema 2 read the same files in alternating runs."""

import contextlib
import dataclasses
import json
import os
import pty
import random
import statistics
import time
import typing

from measure import Failed

MEGABYTE = 1_000_000


def write_recording(path, size):
    """Write a v2 file of about the given size, with colored lines, wide characters and pauses; return its size."""
    chance = random.Random(1)
    words = ["src/main.c", "größe", "漢字", "warning:", "0x7fff", "done"]

    def line():
        style = f"\x1b[{chance.randint(0, 1)};{chance.randint(30, 37)}m"
        return f"{style}{chance.choice(words)}\x1b[0m {'x' * chance.randint(1, 60)}\r\n"

    pieces = ["".join(line() for _ in range(chance.randint(1, 20))) for _ in range(2000)]
    texts = [json.dumps(piece, ensure_ascii=False) for piece in pieces]
    written = 0
    clock = 0.0
    with open(path, "w", encoding="utf-8") as file:
        written += file.write('{"version": 2, "width": 120, "height": 40}\n')
        while written < size:
            clock += chance.random() / 20
            written += file.write(f'[{clock:.6f}, "o", {chance.choice(texts)}]\n')
    return os.path.getsize(path)


def run(words, environment):
    """Run a command; return wall and CPU seconds, and the peak resident memory in KiB.

    The program runs on a terminal, because asciinema prints nothing without one. The peak is read from VmHWM while the
    process is running, because ru_maxrss includes the memory of the parent process.
    """
    started = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        null = os.open("/dev/null", os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        os.execvpe(words[0], words, environment)
    peak = 0
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            break
        peak = max(peak, peak_memory(pid, os.path.basename(words[0])))
        time.sleep(0.002)
    os.close(terminal)
    if status:
        raise Failed(f"{' '.join(words)[:200]}: wait status {status}")
    wall = time.perf_counter() - started
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak_kib": peak}


def peak_memory(pid, name):
    """Return the peak resident memory in KiB, or 0 until the process has executed the program."""
    with contextlib.suppress(OSError, KeyError), open(f"/proc/{pid}/status") as file:
        facts = dict(line.split(":", 1) for line in file)
        return int(facts["VmHWM"].split()[0]) if facts["Name"].strip() == name[:15] else 0
    return 0


def medians(runs):
    return {key: statistics.median(one[key] for one in runs) for key in runs[0]}


def compare(fixture, short, vt_words, other_words):
    """Run both programs in turn on the same file."""
    path = str(fixture.scratch / "recording.cast")
    size = write_recording(path, (1 if short else 50) * MEGABYTE)
    environment = fixture.environment | {"LANG": "C.UTF-8"}
    calls = {"vt": [fixture.vt, *vt_words, path]}
    if other_words:
        calls["asciinema"] = [*other_words, path]
    runs = {name: [] for name in calls}
    for number in range(2 if short else 6):
        for name, words in calls.items():
            figures = run(words, environment)
            if number:  # the first round is a warm-up
                runs[name].append(figures)
    os.unlink(path)
    result = {name: medians(measured) for name, measured in runs.items()}
    for figures in result.values():
        figures["mb_per_s"] = size / MEGABYTE / figures["wall"]
    return result


def output(fixture, short):
    return compare(fixture, short, ["cast", "convert", "--format", "raw"], ["asciinema", "cat"])


def convert(fixture, short):
    return compare(fixture, short, ["cast", "convert", "--format", "v3"], None)


def edit(fixture, short):
    return compare(fixture, short, ["cast", "speed", "2", "--idle-limit", "1s"], None)


def text(fixture, short):
    return compare(fixture, short, ["cast", "convert", "--format", "txt"], None)


def memory(fixture, short):
    """Measure the peak memory, which must not depend on the size of the file."""
    path = str(fixture.scratch / "recording.cast")
    result = {}
    for name, size in [("small", 1), ("vt", 20 if short else 1000)]:
        write_recording(path, size * MEGABYTE)
        result[name] = run([fixture.vt, "cast", "convert", "--format", "v3", path], fixture.environment)
        result[name]["mb_per_s"] = os.path.getsize(path) / MEGABYTE / result[name]["wall"]
        os.unlink(path)
    return result


@dataclasses.dataclass
class RecordingCase:
    name: str
    summary: str
    measure: typing.Callable
    # The performance required of vt, as text.
    bar: str

    def run(self, fixture, short):
        return {
            "name": self.name,
            "summary": self.summary,
            "bar": self.bar,
            "figures": self.measure(fixture, short),
        }


CASES = [
    RecordingCase("cast-output", "the output of a v2 recording of 50 MB", output, "100 MB/s"),
    RecordingCase("cast-convert", "a v2 recording of 50 MB as v3", convert, "100 MB/s"),
    RecordingCase("cast-speed", "a v2 recording of 50 MB at twice the speed, with an idle limit", edit, "100 MB/s"),
    RecordingCase("cast-text", "the text that a recording of 50 MB shows", text, ""),
    RecordingCase("cast-memory", "a recording of 1 GB as v3", memory, "flat"),
]

"""Drive programs that fill the screen, interpreters and prompts with the commands of vt, and check what they did.

No step sleeps or polls; only timeouts limit the waits. Each failure is printed with the screen at that moment, and the
exit status is then 1.
"""

import argparse
import concurrent.futures
import pathlib
import statistics
import sys
import tempfile
import time

from fixture import Fixture
from programs import PROGRAMS
from session import Failure


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vt", default=".build/debug/vt", help="the binary to test")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="drive each program N times (default: 3)")
    parser.add_argument("--width", type=int, default=4, metavar="N", help="drive N programs at a time (default: 4)")
    parser.add_argument("--only", metavar="NAME", action="append", help="drive only this program (repeatable)")
    parser.add_argument("--list", action="store_true", help="list the programs and exit")
    arguments = parser.parse_args()
    unknown = set(arguments.only or []) - set(PROGRAMS)
    if unknown:
        parser.error(f"unknown program: {', '.join(sorted(unknown))}; see --list")
    return arguments


def drive(fixture, name, number):
    """Drive a program once; return the seconds that it took, and a failure if there was one."""
    start = time.monotonic()
    failure = None
    with fixture.round(name, number) as round_:
        try:
            PROGRAMS[name](round_)
        except (Failure, AssertionError, OSError) as error:
            failure = f"{name}, round {number}: {type(error).__name__}: {error}\n{round_.screens()}"
    return time.monotonic() - start, failure


def main():
    arguments = parse_arguments()
    names = arguments.only or list(PROGRAMS)
    if arguments.list:
        print("\n".join(names))
        return 0
    seconds = {name: [] for name in names}
    failures = {name: 0 for name in names}
    directory = tempfile.TemporaryDirectory(prefix="vt-programs-", ignore_cleanup_errors=True)
    with directory as scratch, Fixture(pathlib.Path(scratch), arguments.vt) as fixture:
        with concurrent.futures.ThreadPoolExecutor(arguments.width) as pool:
            rounds = {
                pool.submit(drive, fixture, name, number): name
                for number in range(1, arguments.rounds + 1)
                for name in names
            }
            try:
                for future in concurrent.futures.as_completed(rounds):
                    name = rounds[future]
                    duration, failure = future.result()
                    seconds[name].append(duration)
                    if failure:
                        failures[name] += 1
                        print(failure, flush=True)
            finally:
                pool.shutdown(cancel_futures=True)
    for name in names:
        total = len(seconds[name])
        print(f"{name:10} {total - failures[name]:4} of {total:4}  {statistics.median(seconds[name]):6.2f} s")
    total = sum(map(len, seconds.values()))
    print(f"{'all':10} {total - sum(failures.values()):4} of {total:4}")
    return 1 if any(failures.values()) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

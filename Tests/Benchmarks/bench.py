"""Compare vt with OpenSSH's client on a private server, with tmux and dtach, and with asciinema and script.

Prints the medians, and the median of the ratios of adjacent runs. Fails if a command fails, but does not check the
figures, which vary too much on a busy machine.
"""

import argparse
import json
import pathlib
import platform
import subprocess
import sys
import tempfile

from cases import CASES as CONNECTION_CASES
from files import CASES as FILE_CASES
from fixture import Fixture
from pages import CASES as PAGE_CASES
from record import CASES as RECORD_CASES
from recordings import CASES as CAST_CASES
from report import print_header, print_recording_header, print_recording_row, print_row, print_session_header
from report import print_session_row
from sessions import CASES as HOLDER_CASES

CASES = CONNECTION_CASES + FILE_CASES
SESSION_CASES = HOLDER_CASES + PAGE_CASES
RECORDING_CASES = RECORD_CASES + CAST_CASES


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vt", default=".build/release/vt", help="the binary to measure")
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON")
    parser.add_argument("--only", metavar="NAME", action="append", help="run only this benchmark (repeatable)")
    parser.add_argument("--short", action="store_true", help="run fewer rounds with less data, as a smoke test")
    parser.add_argument("--list", action="store_true", help="list the benchmarks and exit")
    arguments = parser.parse_args()
    unknown = set(arguments.only or []) - {case.name for case in CASES + SESSION_CASES + RECORDING_CASES}
    if unknown:
        parser.error(f"unknown benchmark: {', '.join(sorted(unknown))}; see --list")
    return arguments


def first_line(*words):
    result = subprocess.run(words, capture_output=True, text=True)
    return (result.stdout + result.stderr).splitlines()[0]


def main():
    arguments = parse_arguments()
    chosen = [case for case in CASES if not arguments.only or case.name in arguments.only]
    session_cases = [case for case in SESSION_CASES if not arguments.only or case.name in arguments.only]
    recording_cases = [case for case in RECORDING_CASES if not arguments.only or case.name in arguments.only]
    if arguments.list:
        for case in CASES + SESSION_CASES + RECORDING_CASES:
            print(f"{case.name:14} {case.summary}")
        return
    results = []
    # The process for a connection of sshd may still open its log.
    directory = tempfile.TemporaryDirectory(prefix="vt-bench-", ignore_cleanup_errors=True)
    with directory as scratch, Fixture(scratch, arguments.vt) as fixture:
        if chosen:
            print_header()
        for case in chosen:
            results.append(case.run(fixture, arguments.short))
            print_row(results[-1])
        if session_cases:
            print_session_header()
        for case in session_cases:
            results.append(case.run(fixture, arguments.short))
            print_session_row(results[-1])
        if recording_cases:
            print_recording_header()
        for case in recording_cases:
            results.append(case.run(fixture, arguments.short))
            print_recording_row(results[-1])
    if arguments.json:
        document = {
            "vt": first_line(str(pathlib.Path(arguments.vt).resolve()), "version"),
            "ssh": first_line("ssh", "-V"),
            "machine": platform.platform(),
            "short": arguments.short,
            "results": results,
        }
        pathlib.Path(arguments.json).write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)

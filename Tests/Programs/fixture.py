"""The files and servers that the driven programs need, and what each round has of its own."""

import contextlib
import getpass
import os
import pathlib
import shutil
import subprocess
import sys

from session import Session, Vt

SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

# The program that gdb debugs.
DEBUGGED = """
int answer = 6;
static int multiply(int factor) { return answer * factor; }
int main(void) { answer = multiply(7); return answer - 42; }
"""


class Fixture:
    """A context manager that stops everything it started."""

    def __init__(self, scratch, vt):
        self.scratch = scratch
        self.repository = pathlib.Path(__file__).resolve().parents[2]
        self.python = sys.executable
        home = scratch / "home"
        home.mkdir()
        self.vt = Vt(
            str(pathlib.Path(vt).resolve()),
            {
                "HOME": str(home),
                "VT_HOME": str(scratch / "vt"),
                "PATH": f"{pathlib.Path(sys.executable).parent}:{SEARCH_PATH}",
                "USER": getpass.getuser(),
                "LANG": "C.UTF-8",
            },
        )
        (scratch / "lines.txt").write_text("".join(f"line {number}\n" for number in range(1, 1001)))
        (scratch / "debugged.c").write_text(DEBUGGED)
        subprocess.run(["cc", "-g", "-O0", "-o", scratch / "debugged", scratch / "debugged.c"], check=True)
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        self.postgres = self._stack.enter_context(postgres(self.scratch / "postgres"))
        return self

    def __exit__(self, *details):
        return self._stack.__exit__(*details)

    @contextlib.contextmanager
    def round(self, name, number):
        directory = self.scratch / f"{name}-{number}"
        directory.mkdir()
        round_ = Round(self, f"{name}-{number}", directory)
        try:
            yield round_
        finally:
            for session in round_.sessions:
                session.remove()
            shutil.rmtree(directory, ignore_errors=True)


class Round:
    """A round of driving a program, with a directory of its own."""

    def __init__(self, fixture, name, directory):
        self.fixture = fixture
        self.name = name
        self.directory = directory
        self.sessions = []

    def start(self, *command, **options):
        """Start a program in the directory of the round."""
        name = f"{self.name}-{len(self.sessions)}" if self.sessions else self.name
        session = Session(self.fixture.vt, name, *command, cwd=self.directory, **options)
        self.sessions.append(session)
        return session

    def run(self, *words):
        """Run a program in the directory of the round, without vt, and return its output."""
        environment = self.fixture.vt.environment
        return subprocess.run(
            words, cwd=self.directory, env=environment, capture_output=True, text=True, check=True
        ).stdout

    def screens(self):
        return "\n".join(session.screen() for session in self.sessions)


@contextlib.contextmanager
def postgres(directory):
    """Run a PostgreSQL server, which refuses to run as root, and give the directory with its socket."""
    programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    directory.mkdir()
    user = []
    if os.getuid() == 0:
        directory.parent.chmod(0o711)
        shutil.chown(directory, "postgres")
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]

    def call(program, *words):
        words = [*user, programs / program, "-D", directory / "data", *words]
        subprocess.run(words, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)

    call("initdb", "-A", "trust", "-U", "postgres", "--no-sync")
    call("pg_ctl", "-w", "-l", directory / "log", "-o", f"-k {directory} -c listen_addresses='' -F", "start")
    try:
        yield directory
    finally:
        call("pg_ctl", "-w", "-m", "immediate", "stop")

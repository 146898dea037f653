"""A program in a session of vt."""

import json
import subprocess

# Only programs that fail reach this limit, even on a busy machine.
TIMEOUT = "60s"


class Failure(Exception):
    """A command of vt that failed, or a result that is not as expected."""


class Vt:
    def __init__(self, path, environment):
        self.path = path
        self.environment = environment

    def run(self, *words):
        """Run a command, and return its exit status, output and errors."""
        return subprocess.run(
            [self.path, *words], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )

    def check(self, *words):
        """Run a command that must succeed, and return its output."""
        result = self.run(*words)
        if result.returncode:
            text = (result.stdout + result.stderr).strip()
            raise Failure(f"vt {' '.join(map(repr, words))}: status {result.returncode}: {text}")
        return result.stdout


class Session:
    def __init__(self, vt, name, *command, cwd, size="80x24", env=None):
        self.vt = vt
        self.name = name
        variables = [f"--env={key}={value}" for key, value in (env or {}).items()]
        vt.check("sessions", "create", name, f"--size={size}", f"--cwd={cwd}", *variables, "--", *map(str, command))

    def wait(self, settle=None, regex=False, **conditions):
        """Wait for conditions, such as `screen`, `no_screen` or `title`, until one of them is met."""
        words = [f"--{name.replace('_', '-')}={text}" for name, text in conditions.items()]
        self.vt.check("sessions", "wait", self.name, f"--timeout={TIMEOUT}", *words, *self._options(settle, regex))

    def send(self, *words, settle=None, regex=False, **conditions):
        """Send words and options of `vt sessions send`, and then wait as `wait` does."""
        waits = [f"--wait={name.replace('_', '-')}={text}" for name, text in conditions.items()]
        self.vt.check(
            "sessions", "send", self.name, *words, f"--timeout={TIMEOUT}", *waits, *self._options(settle, regex)
        )

    def end(self, *words):
        """Send input that ends the program, if any, and return the exit status of the program."""
        if words:
            result = self.vt.run("sessions", "send", self.name, *words, f"--timeout={TIMEOUT}", "--wait=exit")
        else:
            result = self.vt.run("sessions", "wait", self.name, f"--timeout={TIMEOUT}", "--exit")
        if result.returncode in (124, 255):
            raise Failure(f"'{self.name}' did not end: {result.stderr.strip()}")
        return result.returncode

    def rows(self):
        return self.vt.check("sessions", "screen", self.name).split("\n")

    def expect(self, text, region, directory):
        """Wait until a region of the screen shows a text."""
        file = directory / "expected"
        file.write_text(text)
        words = [f"--expect={file}", f"--region={region}", f"--timeout={TIMEOUT}"]
        self.vt.check("sessions", "screen", self.name, *words)

    def count(self, text, *options):
        """Return how often a text is on the screen."""
        result = self.vt.run("sessions", "screen", self.name, f"--find={text}", *options)
        if result.returncode > 1:
            raise Failure(result.stderr.strip())
        return len(result.stdout.splitlines())

    def pid(self):
        return json.loads(self.vt.check("sessions", "show", self.name, "--json"))["pid"]

    def screen(self):
        """Return the screen with the cursor, for a report."""
        shown = self.vt.run("sessions", "screen", self.name, "--cursor")
        return f"--- {self.name}\n{shown.stdout}{shown.stderr}---"

    def remove(self):
        self.vt.run("-q", "sessions", "kill", self.name)
        self.vt.run("-q", "sessions", "cleanup", self.name)

    @staticmethod
    def _options(settle, regex):
        return ([f"--settle={settle}"] if settle else []) + (["--regex"] if regex else [])

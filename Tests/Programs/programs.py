"""The programs: each function drives one for a round, and checks what it did."""

import pathlib
import sqlite3

from session import Failure

HERE = pathlib.Path(__file__).parent


def expect(actual, expected):
    if actual != expected:
        raise Failure(f"{actual!r} instead of {expected!r}")


def vim(round_):
    file = round_.directory / "text"
    editor = round_.start("vim", "-n", "-i", "NONE", file)
    editor.wait(screen="[New]")
    editor.send("i", screen="-- INSERT --")
    editor.send("one", "--enter", "two", "--key", "Escape", no_screen="-- INSERT --")
    editor.send(":%s/o/0/g", "--enter", regex=True, screen="^tw0$")
    expect(editor.rows()[:3], ["0ne", "tw0", "~"])
    expect(editor.end(":wq", "--enter"), 0)
    expect(file.read_text(), "0ne\ntw0\n")


def less(round_):
    pager = round_.start("less", round_.fixture.scratch / "lines.txt", size="40x10")
    pager.wait(screen="lines.txt")
    pager.send("/^line 500$", "--enter", regex=True, screen="^line 500$")
    expect(pager.count("line 500", "--inverse"), 1)
    for key, first in (("Space", 509), ("PageUp", 500), ("End", 992)):
        pager.send("--key", key)
        pager.expect("".join(f"line {number}\n" for number in range(first, first + 9)), "40x9+0+0", round_.directory)
    expect(pager.end("q"), 0)


def htop(round_):
    victim = round_.start("sleep", "1000")
    viewer = round_.start("htop", "-p", victim.pid(), env={"HTOPRC": round_.directory / "htoprc"})
    viewer.wait(screen="sleep 1000")
    viewer.send("--key", "F9", screen="Send signal:")
    viewer.send("--enter", no_screen="Send signal:")
    expect(victim.end(), 143)
    expect(viewer.end("--click", "Quit"), 0)


def dialog(round_):
    menu = "dialog --menu Color 12 40 3 r red g green b blue 2>choice"
    session = round_.start("sh", "-c", menu)
    session.wait(screen="<Cancel>", settle="100ms")
    session.send("--key", "Down", "--key", "Down", "--key", "Up")
    expect(session.end("--click", "OK"), 0)
    expect((round_.directory / "choice").read_text(), "g")


def mc(round_):
    for name in ("left", "right"):
        (round_.directory / name).mkdir()
    (round_.directory / "left" / "copied.txt").write_text("copied\n")
    manager = round_.start("mc", "-u", "left", "right")
    manager.wait(screen="copied.txt", settle="100ms")
    manager.send("--key", "Down", "--key", "F5", screen="[< OK >]", settle="100ms")
    manager.send("--enter", regex=True, screen="copied\\.txt +│.*copied\\.txt")
    expect(manager.end("--key", "F10"), 0)
    expect((round_.directory / "right" / "copied.txt").read_text(), "copied\n")


def fzf(round_):
    finder = round_.start("sh", "-c", "seq 1000 | fzf --no-mouse >choice")
    finder.wait(screen="1000/1000")
    finder.send("777", screen="1/1000")
    expect(finder.end("--enter"), 0)
    expect((round_.directory / "choice").read_text(), "777\n")


def rebase(round_):
    author = ["-c", "user.name=A", "-c", "user.email=a@example"]
    round_.run("git", "init", "-q")
    for message in ("one", "two", "three"):
        (round_.directory / message).touch()
        round_.run("git", "add", message)
        round_.run("git", *author, "commit", "-q", "-m", message)
    command = ["git", *author, "rebase", "-q", "-i", "--root"]
    editor = round_.start(*command, env={"GIT_EDITOR": "vim -n -i NONE"})
    editor.wait(screen="git-rebase-todo\"")
    editor.send(":2s/^pick/reword/", "--enter", regex=True, screen="^reword [0-9a-f]+ two")
    editor.send(":wq", "--enter", screen="COMMIT_EDITMSG\"")
    editor.send(":1s/two/second", "--enter", regex=True, screen="^second$")
    expect(editor.end(":wq", "--enter"), 0)
    expect(round_.run("git", "log", "--format=%s"), "three\nsecond\none\n")


def gdb(round_):
    debugger = round_.start("gdb", "-q", "-nx", round_.fixture.scratch / "debugged")
    prompt = {"regex": True, "screen": r"^\(gdb\) $"}
    debugger.wait(**prompt)
    debugger.send("break multiply", "--enter", screen="Breakpoint 1 at")
    debugger.send("run", "--enter", screen="Breakpoint 1, multiply (factor=7)")
    debugger.send("finish", "--enter", screen="Value returned is $1 = 42")
    debugger.send("print answer + $1", "--enter", screen="$2 = 48")
    debugger.send("quit", "--enter", screen="(y or n)")
    expect(debugger.end("y", "--enter"), 0)


def psql(round_):
    table = round_.name.replace("-", "_")
    words = ["psql", "-X", "-h", round_.fixture.postgres, "-U", "postgres"]
    client = round_.start(*words, env={"PAGER": "less", "PSQL_HISTORY": round_.directory / "history"})
    client.wait(screen="postgres=#")
    client.send("BEGIN;", "--enter", screen="postgres=*#")
    client.send(f"CREATE TABLE {table} AS SELECT generate_series(1, 100) AS n;", "--enter", screen="SELECT 100")
    client.send(f"SELECT n FROM {table};", "--enter", regex=True, screen="^:$")
    client.send("q", regex=True, screen=r"^postgres=\*# $")
    client.send("COMMIT;", "--enter", regex=True, screen="^COMMIT$")
    expect(client.end("\\q", "--enter"), 0)
    expect(round_.run(*words, "-Atc", f"SELECT sum(n) FROM {table}"), "5050\n")


def python3(round_):
    interpreter = round_.start("/usr/bin/python3", "-q")
    interpreter.wait(regex=True, screen="^>>> $")
    interpreter.send("for n in range(3): print('n', n)", "--enter", regex=True, screen=r"^\.\.\. $")
    interpreter.send("--enter", regex=True, screen="^n 2$")
    interpreter.send("1/0", "--enter", screen="ZeroDivisionError: division by zero")
    interpreter.send("print(6 * 7)", "--enter", regex=True, screen="^42$")
    expect(interpreter.end("raise SystemExit(7)", "--enter"), 7)


def ipython(round_):
    interpreter = round_.start("ipython", "--no-banner", env={"IPYTHONDIR": round_.directory / "ipython"})
    interpreter.wait(screen="In [1]:")
    interpreter.send("answer = 6 * 7", "--enter", screen="In [2]:")
    interpreter.send("answer", "--enter", screen="Out[2]: 42")
    interpreter.wait(screen="In [3]:")
    interpreter.send("open('answer', 'w').write(f'{answer}')", "--enter", screen="In [4]:")
    expect(interpreter.end("exit", "--enter"), 0)
    expect((round_.directory / "answer").read_text(), "42")


def node(round_):
    interpreter = round_.start("node", env={"NODE_REPL_HISTORY": ""})
    interpreter.wait(regex=True, screen="^> $")
    interpreter.send("answer = 6 * 7", "--enter", regex=True, screen="^42$")
    interpreter.send("[1, 2].map(n => {", "--enter", regex=True, screen=r"^\.\.\. $")
    interpreter.send("return n * answer })", "--enter", screen="[ 42, 84 ]")
    expect(interpreter.end("process.exit(5)", "--enter"), 5)


def sqlite(round_):
    client = round_.start("sqlite3", "data", env={"HOME": round_.directory})
    client.wait(screen="sqlite> ")
    client.send("CREATE TABLE t (n);", "--enter", regex=True, screen="^sqlite> $")
    client.send("INSERT INTO t VALUES (6),", "--enter", regex=True, screen=r"^   \.\.\.> $")
    client.send("(7);", "--enter", regex=True, screen="^sqlite> $")
    client.send("SELECT 'sum', sum(n) FROM t;", "--enter", regex=True, screen=r"^sum\|13$")
    expect(client.end(".quit", "--enter"), 0)
    with sqlite3.connect(round_.directory / "data") as data:
        expect(data.execute("SELECT n FROM t").fetchall(), [(6,), (7,)])


def textual(round_):
    form = round_.start(round_.fixture.python, "-B", HERE / "textual_app.py", "saved")
    form.wait(screen="Save", settle="200ms")
    form.send("Grace", screen="Grace")
    expect(form.end("--click", "Save"), 4)
    expect((round_.directory / "saved").read_text(), "Grace")


def nano(round_):
    file = round_.directory / "text"
    editor = round_.start("nano", "-I", file)
    editor.wait(screen="New File")
    editor.send("one", "--enter", "two", screen="two")
    editor.send("--key", "C-o", screen="File Name to Write")
    editor.send("--enter", screen="Wrote 2 lines")
    expect(editor.end("--key", "C-x"), 0)
    expect(file.read_text(), "one\ntwo\n")


def tmux(round_):
    session = round_.start("tmux", "-S", "socket", "-f", "/dev/null", env={"SHELL": "/bin/sh", "ENV": ""})
    session.wait(regex=True, screen="^[#$] $")
    session.send("--key", "C-b", "--key", "%", screen="│")
    session.send("tmux set -g mouse on; tmux list-panes", "--enter", screen="1: [39x23]")
    session.send("--drag", "40,5:20,5", regex=True, screen="^.{20}│")
    session.send("tmux list-panes", "--enter", screen="1: [59x23]")
    session.send("exit", "--enter", no_screen="│")
    expect(session.end("exit", "--enter"), 0)


def man(round_):
    page = round_.start("man", "-l", round_.fixture.repository / "man" / "vt.1")
    page.wait(screen="Manual page")
    page.send("/^EXIT STATUS", "--enter", regex=True, screen="^EXIT STATUS$")
    page.send("--key", "Home", regex=True, screen="^NAME$")
    expect(page.end("q"), 0)


def top(round_):
    victim = round_.start("sleep", "1000")
    viewer = round_.start("top", "-p", victim.pid(), env={"HOME": round_.directory})
    viewer.wait(screen="sleep")
    viewer.send("k", screen=f"[default pid = {victim.pid()}]")
    viewer.send("--enter", screen=f"Send pid {victim.pid()} signal")
    viewer.send("--enter", no_screen="Send pid")
    expect(victim.end(), 143)
    expect(viewer.end("q"), 0)


def progress(round_):
    bar = round_.start(round_.fixture.python, "-B", HERE / "progress.py")
    bar.wait(screen="Start?")
    bar.send("--enter", title="finished")
    bar.wait(no_screen="Loading")
    expect(bar.rows()[1], "Stop?")
    expect(bar.end("word", "--enter"), 4)


def password(round_):
    session = round_.start("ssh-keygen", "-q", "-t", "ed25519", "-f", "key")
    session.wait(screen="Enter passphrase")
    session.send("secret words", "--enter", screen="Enter same passphrase again")
    expect(session.count("secret"), 0)
    expect(session.end("secret words", "--enter"), 0)
    public = round_.run("ssh-keygen", "-y", "-P", "secret words", "-f", "key")
    expect((round_.directory / "key.pub").read_text().split()[:2], public.split()[:2])


PROGRAMS = {
    "vim": vim,
    "less": less,
    "htop": htop,
    "dialog": dialog,
    "mc": mc,
    "fzf": fzf,
    "rebase": rebase,
    "gdb": gdb,
    "psql": psql,
    "python3": python3,
    "ipython": ipython,
    "node": node,
    "sqlite3": sqlite,
    "textual": textual,
    "nano": nano,
    "tmux": tmux,
    "man": man,
    "top": top,
    "progress": progress,
    "password": password,
}

"""Lets vt use the sessions of 'vt serve --vibetunnel': ERA PORT TOKEN VT; prints ok.

With the era 'legacy', a relay hides the WebSocket, which servers have since version 3.
"""
import json, os, socket, subprocess, sys, tempfile, threading, time
from vibetunnel_facts import equal

era, port, token, program = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def relay(peer, own):
    head = b""
    while b"\r\n\r\n" not in head:
        data = peer.recv(65536)
        if not data:
            return
        head += data
    if era == "legacy" and head.startswith(b"GET /ws"):
        peer.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        return peer.close()
    server = socket.create_connection(("127.0.0.1", port))
    server.sendall(head.replace(f"127.0.0.1:{own}".encode(), f"127.0.0.1:{port}".encode(), 1))
    threading.Thread(target=copy, args=(peer, server), daemon=True).start()
    copy(server, peer)


def accept(listener):
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=relay, args=(peer, listener.getsockname()[1]), daemon=True).start()


def run(*words, text=None, status=0, env=None):
    result = subprocess.run([program, *words], input=text, capture_output=True, text=True, timeout=60, env=env)
    assert result.returncode == status, (words, result)
    assert token not in result.stdout + result.stderr
    return result


def vt(*words, text=None, status=0):
    return run(*words, text=text, status=status).stdout


def error(*words, text=None, status):
    return json.loads(run("--json", *words, text=text, status=status).stderr)["error"]


def until_shown(session, text):
    deadline = time.monotonic() + 30
    while text not in (screen := vt("sessions", "screen", session)):
        assert time.monotonic() < deadline, screen


with tempfile.TemporaryDirectory() as home, socket.create_server(("127.0.0.1", 0)) as listener:
    threading.Thread(target=accept, args=(listener,), daemon=True).start()
    server = dict(os.environ)
    os.environ.update(HOME=home, VT_HOME=home + "/vt")
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    vt("profile", "add", "mac", "--vibetunnel", address, "--user", "ann", "--password-stdin", "--secret-store", "file",
       text=token)
    vt("profile", "test", "mac")
    # A program that ends.
    script = "echo begin; printf 'caf\\303\\251\\n'; sleep 1; echo end; exit 3"
    vt("sessions", "create", "mac:tests", "--", "sh", "-c", script)
    vt("sessions", "wait", "mac:tests", "--exit", status=3)
    equal(vt("sessions", "logs", "mac:tests").replace("\r\n", "\n"), "begin\ncafé\nend\n")
    equal(vt("sessions", "screen", "mac:tests"), "begin\ncafé\nend\n")
    equal(vt("sessions", "list", "mac", "--format", "{name} {state}").strip(), "tests exited")
    # A shell.
    vt("sessions", "create", "mac:shell", "--", "bash", "--norc")
    vt("sessions", "send", "mac:shell", "echo $((6*7))", "--enter")
    until_shown("mac:shell", "\n42\n")
    vt("sessions", "send", "mac:shell", "echo 4$((1+2))", "--key", "Enter")
    until_shown("mac:shell", "\n43\n")
    vt("sessions", "resize", "mac:shell", "100x30")
    equal(json.loads(vt("sessions", "screen", "mac:shell", "--json"))["size"], {"columns": 100, "rows": 30})
    vt("sessions", "rename", "mac:shell", "other")
    vt("sessions", "kill", "mac:other")
    vt("sessions", "wait", "mac:other", "--exit", status=129)
    # What cannot be created.
    for words in [["--", "/nonexistent/prog"], ["--cwd", "/nonexistent", "--", "true"]]:
        found = error("sessions", "create", "mac:none", *words, status=66)
        assert found["code"] == "not-found" and "nonexistent" in found["message"], found
    # Names.
    vt("sessions", "create", "mac:taken", "--", "cat")
    equal(error("sessions", "rename", "mac:taken", "tests", status=73)["code"], "exists")
    # Activity: the session is younger than an hour, and a busy one is not idle.
    equal(vt("sessions", "reap", "mac", "--idle", "1h", "--action", "kill"), "")
    vt("sessions", "kill", "mac:taken")
    # A link for watching.
    run("sessions", "create", "watched", "--", "cat", env=server)
    link = run("share", "watched", env=server).stdout.strip().split("#k=")[1]
    vt("profile", "add", "ro", "--vibetunnel", address, "--password-stdin", "--secret-store", "file", text=link)
    equal(error("sessions", "send", "ro:watched", "x", status=77)["code"], "auth.denied")
    denial = run("attach", "ro:watched", text="typed\n", status=255).stderr
    assert "the link is for watching only" in denial and "add --read-only" in denial, denial
    equal(vt("sessions", "screen", "ro:watched"), "")
    run("sessions", "kill", "watched", env=server)
    # A program that never pauses, with so little output that a debug build of the server reads the history in no time.
    vt("sessions", "create", "mac:yes", "--", "sh", "-c", "while :; do yes | head -c 40; sleep 0.01; done")
    equal(vt("sessions", "screen", "mac:yes").splitlines()[:23], ["y"] * 23)
    equal(vt("sessions", "logs", "mac:yes", "--tail", "4").splitlines()[:3], ["y"] * 3)
    equal(error("sessions", "wait", "mac:yes", "--idle", "1s", "--timeout", "3s", status=124)["code"], "timed-out")
    vt("sessions", "kill", "mac:yes")
    # A recording.
    vt("record", "mac:tests", "-o", f"{home}/tests.cast")
    equal(vt("cast", "convert", f"{home}/tests.cast", "--format", "raw").replace("\r\n", "\n"), "begin\ncafé\nend\n")
    vt("sessions", "cleanup", "--all", "mac")
    equal(vt("sessions", "list", "mac", "--ids"), "")
print("ok")

"""Lets vt use the sessions of 'vt serve --vibetunnel': ERA PORT TOKEN VT; prints ok.

With the era 'legacy', a relay hides the WebSocket, which servers have since version 3.
"""
import os, socket, subprocess, sys, tempfile, threading
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


def vt(*words, text=None, status=0):
    result = subprocess.run([program, *words], input=text, capture_output=True, text=True, timeout=60)
    assert result.returncode == status, (words, result)
    assert token not in result.stdout + result.stderr
    return result.stdout


with tempfile.TemporaryDirectory() as home, socket.create_server(("127.0.0.1", 0)) as listener:
    threading.Thread(target=accept, args=(listener,), daemon=True).start()
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
    vt("sessions", "send", "mac:shell", "--enter", "echo $((6*7))")
    vt("sessions", "wait", "mac:shell", "--match", "^42", "--timeout", "20s")
    vt("sessions", "send", "mac:shell", "echo 4$((1+2))", "--key", "Enter")
    vt("sessions", "wait", "mac:shell", "--match", "^43", "--timeout", "20s")
    vt("sessions", "resize", "mac:shell", "100x30")
    screen = vt("sessions", "screen", "mac:shell")
    assert "\n42\n" in screen and "\n43\n" in screen, screen
    vt("sessions", "rename", "mac:shell", "other")
    vt("sessions", "kill", "mac:other")
    vt("sessions", "wait", "mac:other", "--exit", status=129)
    # A recording.
    vt("record", "mac:tests", "-o", f"{home}/tests.cast")
    equal(vt("cast", "convert", f"{home}/tests.cast", "--format", "raw").replace("\r\n", "\n"), "begin\ncafé\nend\n")
    vt("sessions", "cleanup", "--all", "mac")
    equal(vt("sessions", "list", "mac", "--ids"), "")
print("ok")

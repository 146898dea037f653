"""Compares the servers that tests of vt's client use with what upstream's programs have answered: CASE PORT PASSWORD."""
import json, socket, sys
import vibetunnel_facts as facts
from vibetunnel_facts import check, check_answer, equal, joined, named
from vibetunnel_client import EventStream, Frames, basic, bearer, call, until

case, port, password = sys.argv[1], int(sys.argv[2]), sys.argv[3]
login = basic(password)


def state(session):
    return call(port, "GET", f"/api/sessions/{session}", headers=login).json["status"]


def unanswered(method, path, body):
    """Checks that a request gets no answer, as one that never arrives."""
    with socket.create_connection(("127.0.0.1", port), timeout=0.5) as connection:
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {login['Authorization']}\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)
        try:
            assert not connection.recv(1)
        except TimeoutError:
            pass


def requests():
    """The requests to the server of June 2025, except that for a snapshot, which vt does not use, and its streams."""
    names = {}
    for name, credentials, method, path, body, status, answer in facts.REQUESTS:
        if name == "buffer":
            continue
        if name in ("get-exit3", "get-exit0", "input-ended"):
            until(lambda: state(names[facts.ID]) == "exited")
        if name == "input-ended":
            unanswered(method, named(path, names), b'{"text":"x"}')
            continue
        headers = {"right": login, "wrong": basic("no"), None: {}}[credentials]
        got = call(port, method, named(path, names), body, headers)
        check_answer(name, got, status, answer, names)
        if status == 401:
            equal(got.headers["WWW-Authenticate"], 'Basic realm="VibeTunnel"')
        if name in ("create-exit3", "create-exit0"):
            stream = "exit3" if name == "create-exit3" else "ended"
            if stream == "ended":
                until(lambda: state(names[facts.ID]) == "exited")
            path = f"/api/sessions/{names[facts.ID]}/stream"
            first = EventStream(port, path, login)
            until(lambda: first.output())
            events = joined(EventStream(port, path, login).ended())
            expected = facts.STREAMS[stream]
            if stream == "ended":
                # The output of this session had been lost.
                equal(events.pop(1), "ok\r\n")
            elif len(events) == 3:
                # On a busy machine, the program can end before the stream begins.
                expected = expected[2:]
            check(events, expected, names)


def replay(*outputs, redrawn=""):
    """A program that writes the first of these outputs, each of the others when it gets a line, and one when resized."""
    script = """import json, os, signal, sys
outputs, redrawn = json.loads(sys.argv[1])
write = lambda text: os.write(1, text.replace("\\r\\n", "\\n").encode())
signal.signal(signal.SIGWINCH, lambda *_: write(redrawn))
for text in outputs:
    write(text)
    sys.stdin.readline()
while True:
    signal.pause()"""
    return [sys.executable, "-c", script, json.dumps([outputs, redrawn])]


def streams():
    """The events of the server of June 2025, with programs that write what those of the captures wrote."""
    session = call(port, "POST", "/api/sessions", {"command": replay(*facts.LIVE)}, login).json["sessionId"]
    path = f"/api/sessions/{session}"
    first = EventStream(port, f"{path}/stream", login)
    until(lambda: facts.LIVE[0] in first.output())
    live = EventStream(port, f"{path}/stream", login)
    live.until_output(2 * facts.LIVE[0])
    for name, _, method, request, body, status, answer in facts.REQUESTS:
        if name in ("input-text", "input-key", "input-key-field", "input-2"):
            got = call(port, method, named(request, {facts.FIRST: session}), body, login)
            check_answer(name, got, status, answer, {})
    live.until_output(facts.LIVE[0] + "".join(facts.LIVE))
    call(port, "DELETE", path, headers=login)
    check(joined(live.ended()), facts.STREAMS["live"], {facts.ID: session})
    equal(live.comments, [":ok"])
    # The output of this session had been lost.
    session = call(port, "POST", "/api/sessions", {"command": ["true"]}, login).json["sessionId"]
    until(lambda: state(session) == "exited")
    ended = EventStream(port, f"/api/sessions/{session}/stream", login)
    check(joined(ended.ended()), facts.STREAMS["ended"], {facts.ID: session})


def frames():
    """The frames of the hub, without snapshots, with programs that write what those of the captures wrote."""
    token = call(port, "POST", "/api/auth/password", {"userId": "ann", "password": password}).json["token"]
    equal(Frames(port).status, 401)
    commands = {"s1": replay(facts.START, facts.ECHO, facts.ENTER, redrawn=facts.REDRAWN), "s2": facts.EXIT3_V3}
    names = {" ".join(facts.BASH): " ".join(commands["s1"])}
    peer = Frames(port, bearer(token))
    equal(peer.status, 101)
    equal(peer.next(), ("WELCOME", "", {"ok": True, "version": 3}))
    for message, answers in facts.FRAMES:
        if isinstance(message, str):
            peer.raw(2 if message == "garbage" else 1, message.encode())
        else:
            kind, session, payload = message
            if session in commands and session not in names:
                got = call(port, "POST", "/api/sessions", {"command": commands[session]}, bearer(token))
                names[session] = got.json["sessionId"]
            peer.send(kind, names.get(session, session), bytes.fromhex(payload))
        for kind, expected, session in answers:
            if kind == "SNAPSHOT":
                continue
            got = peer.next()
            equal(got[:2], (kind, names.get(session, session)))
            if kind == "STDOUT":
                text = got[2].decode()
                while len(text) < len(expected):
                    got = peer.next()
                    equal(got[:2], (kind, names.get(session, session)))
                    text += got[2].decode()
                equal(text, expected)
            else:
                check(got[2], expected, names)
    # Nothing else has been sent.
    peer.send(40, "", b"end")
    equal(peer.next(), ("PONG", "", b"end"))
    state = call(port, "GET", f"/api/sessions/{names['s1']}", headers=bearer(token)).json
    equal((state["status"], state["exitCode"]), ("exited", 137))


{"requests": requests, "streams": streams, "frames": frames}[case]()
print("ok")

"""Compares the servers that tests of vt's client use with what upstream's programs have answered: CASE PORT PASSWORD."""
import socket, sys
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


def frames():
    """The frames of the hub. The first session has no program: its output is that of the captures."""
    token = call(port, "POST", "/api/auth/password", {"userId": "ann", "password": password}).json["token"]
    equal(Frames(port).status, 401)
    first = call(port, "GET", "/api/sessions", headers=bearer(token)).json[0]["id"]
    second = call(port, "POST", "/api/sessions", {"command": facts.EXIT3_V3}, bearer(token)).json["sessionId"]
    names = {"s1": first, "s2": second}
    # The answers to input, which a program would write, are known beforehand.
    outputs = {"s1": facts.START + facts.ECHO + facts.ENTER, "s2": facts.EXIT3_OUTPUT[1]}
    for message, answers in facts.FRAMES:
        peer = Frames(port, bearer(token))
        equal(peer.status, 101)
        equal(peer.next(), ("WELCOME", "", {"ok": True, "version": 3}))
        if isinstance(message, str):
            peer.raw(2 if message == "garbage" else 1, message.encode())
            kind, session = message, ""
        else:
            kind, session, payload = message
            peer.send(kind, names.get(session, session), bytes.fromhex(payload))
        # The double has neither snapshots nor a shell, and sends the header in any case.
        expected = [answer for answer in answers if answer[0] not in ("STDOUT", "SNAPSHOT")]
        if kind == 10 and session in outputs and len(payload) > 2:
            expected = [answer for answer in expected if answer[1].get("kind") != "resize"]
            if payload.startswith("01"):
                expected.insert(0, (*facts.header(facts.EXIT3_V3), "s2"))
            found, text = [], ""
            while len(found) < len(expected) or text.encode() != outputs[session].encode():
                got = peer.next()
                if got[0] == "STDOUT":
                    text += got[2].decode()
                    assert outputs[session].startswith(text), text
                else:
                    found.append(got)
        else:
            expected = [] if kind in (30, 31, 32, 33) and session == "s1" and len(payload) > 2 else expected
            peer.send(40, "", b"end")
            found = [peer.next() for _ in range(len(expected) + 1)]
            equal(found.pop(), ("PONG", "", b"end"))
        check([[name, payload, session] for name, session, payload in found],
              [[name, payload, names.get(session, session)] for name, payload, session in expected], names)
    state = call(port, "GET", f"/api/sessions/{first}", headers=bearer(token)).json
    equal((state["status"], state["exitCode"]), ("exited", 137))


{"requests": requests, "frames": frames}[case]()
print("ok")

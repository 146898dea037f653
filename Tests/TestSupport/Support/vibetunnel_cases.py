"""Checks of 'vt serve --vibetunnel' with raw clients: CASE PORT TOKEN VT; prints ok."""
import glob, json, os, re, socket, struct, subprocess, sys, time
import vibetunnel_facts as facts
from vibetunnel_facts import check, check_answer, equal, joined, named
from vibetunnel_client import Buffers, EventStream, Frames, basic, bearer, call, frame, screen, until

case, port, token, program = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
login = basic(token)


def vt(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def share(*words):
    return vt("share", *words).strip().split("#k=")[1]


version = subprocess.run(["bash", "--version"], capture_output=True, text=True).stdout.split("version ")[1]
PROMPT = f"bash-{'.'.join(version.split('.')[:2])}{'#' if os.getuid() == 0 else '$'} "


def local(text):
    """The text with the prompt of this machine's bash, which may be another version for another user."""
    return text.replace("bash-5.2# ", PROMPT)


def state(session):
    return call(port, "GET", f"/api/sessions/{session}", headers=login).json["status"]


def requests():
    """The requests and streams of a client of June 2025."""
    names, live, short = {}, None, None
    for name, credentials, method, path, body, status, answer in facts.REQUESTS:
        if name in ("get-exit3", "get-exit0", "input-ended"):
            until(lambda: state(names[facts.ID]) == "exited")
        if name == "input-text":
            until(lambda: PROMPT in live.output())
        if name == "resize":
            until(lambda: "$ " in live.output().partition("command not found")[2])
        if name == "kill":
            until(lambda: live.output().endswith("5\r\n\x1b[?2004h$ "))
            ended = EventStream(port, f"/api/sessions/{names[facts.ID]}/stream", login)
            check(joined(ended.ended()), facts.STREAM_DIFFERENCES["ended"], names)
            equal(ended.comments, [":ok"])
        headers = {"right": login, "wrong": basic("no"), None: {}}[credentials]
        if name == "v3-probe":
            headers["Upgrade"] = "websocket"
        got = call(port, method, named(path, names), body, headers)
        status, answer = facts.DIFFERENCES.get(name, (status, answer))
        check_answer(name, got, status, answer, names)
        if status == 401:
            equal(got.headers.get_all("WWW-Authenticate"), ['Basic realm="VibeTunnel"', 'Bearer realm="VibeTunnel"'])
        if name == "create":
            live = EventStream(port, f"/api/sessions/{names[facts.ID]}/stream", login)
        if name == "buffer":
            equal(got.type, "application/octet-stream")
            size, _, lines = screen(got.body)
            equal(size[0], 60)
            assert "$ arrow_up" in lines and "bash: arrow_up: command not found" in lines, lines
        if name == "text":
            assert got.body.decode().endswith("bash: arrow_up: command not found\n$"), got.body
        if name == "create-exit3":
            short = EventStream(port, f"/api/sessions/{names[facts.ID]}/stream", login)
        if name == "get-exit3":
            check(joined(short.ended()), facts.STREAM_DIFFERENCES["exit3"], names)
        if name == "get-killed":
            events = live.ended()
            check(events[0]["width"], 100, names)
            check([event[2] for event in events[1:] if event[1] == "r"], ["60x12"], names)
            check(events[-1], ["exit", facts.ANY, facts.FIRST], names)
            text = live.output()
            for part in [f"\x1b[?2004h{PROMPT}", "héllo \x1b[1;31mred\x1b[0m \x1b[48;2;1;2;3mrgb\x1b[0m 世界\r\n",
                         "arrow_up\r\n", "bash: arrow_up: command not found\r\n", "clear; echo hi; seq 1 5\r\n",
                         "\x1b[H\x1b[2J", "hi\r\n", "1\r\n2\r\n3\r\n4\r\n5\r\n"]:
                assert part in text, (part, text)
                text = text[text.index(part) + len(part):]


def frames():
    """The messages of a client of version 3."""
    names = {}
    names["s1"] = call(port, "POST", "/api/sessions", {"command": facts.BASH}, login).json["sessionId"]
    peer = Frames(port, bearer(token))
    equal(peer.status, 101)
    equal(peer.next(), ("WELCOME", "", {"ok": True, "version": 3}))
    news = []
    for message, answers in facts.FRAMES:
        if message == "garbage":
            peer.raw(2, bytes.fromhex("0001676172626167652d67617262616765"))
        elif message == "text":
            peer.raw(1, b"text")
        else:
            kind, session, payload = message
            if session == "s2" and "s2" not in names:
                names["s2"] = call(port, "POST", "/api/sessions", {"command": facts.EXIT3_V3}, login).json["sessionId"]
            peer.send(kind, names.get(session, session), bytes.fromhex(payload))
        for expected in answers:
            receive(peer, expected, names, news)
    while sum(one["type"] == "session-exit" for one in news) < 2:
        news.append(event(peer.next()))
    # Which of the sessions ends first is open.
    exits = [one for one in news if one["type"] == "session-exit" and one["sessionId"] == names["s2"]]
    check(exits[0], facts.NEWS, names)
    # Nothing else has been sent.
    peer.send(40, "", b"end")
    equal(peer.next(), ("PONG", "", b"end"))


def event(got):
    assert got[0] == "EVENT" and "type" in got[2], got
    return got[2]


def receive(peer, expected, names, news):
    """Receives a frame; output may arrive in parts."""
    kind, payload, session = expected
    text = b""
    while True:
        got = peer.next()
        if got[0] == "EVENT" and "type" in got[2] and "sessionId" in got[2]:
            news.append(got[2])
            continue
        equal(got[:2], (kind, names.get(session, session)))
        if kind == "SNAPSHOT":
            size, cursor, _ = screen(got[2])
            equal((size, cursor), ((132, 43), (len(PROMPT), 3)))
            if PROMPT == "bash-5.2# ":
                equal(got[2][28:].hex(), facts.SNAPSHOT_ROWS)
        elif kind == "STDOUT":
            text += got[2]
            got[2].decode()
            if text == local(payload).encode():
                return
            assert local(payload).encode().startswith(text), (text, payload)
            continue
        elif kind == "PONG":
            equal(got[2], payload)
        else:
            check(got[2], payload, names)
        return


def buffers():
    """Snapshots for clients of 2025."""
    bash = call(port, "POST", "/api/sessions", {"command": facts.BASH, "workingDir": "/tmp"}, login).json["sessionId"]
    equal(Buffers(port, {}).status, 401)
    equal(Buffers(port, {**login, "Origin": "http://evil.example"}).status, 403)
    peer = Buffers(port, login)
    peer.send(type="ping")
    equal(peer.next()["type"], "pong")
    call(port, "POST", f"/api/sessions/{bash}/input", {"text": "PS1='$ '; clear; echo hi; seq 1 5\r"}, login)
    peer.send(type="subscribe", sessionId=bash)
    while True:
        session, snapshot = peer.next()
        equal(session, bash)
        if screen(snapshot)[2][-1] == "$":
            break
    equal(snapshot.hex(), "54560100500000000700000000000000020000000600000000000000"
          "fd020001680169fd01000131fd01000132fd01000133fd01000134fd01000135fd0200012400")
    peer.send(type="unsubscribe", sessionId=bash)
    peer.send(type="subscribe", sessionId="no-such")
    equal(peer.next(), {"type": "error", "message": "Session not found"})
    # Snapshots of an empty screen are not too short for upstream's client.
    empty = call(port, "POST", "/api/sessions", {"command": ["sleep", "60"]}, login).json["sessionId"]
    peer.send(type="subscribe", sessionId=empty)
    session, snapshot = peer.next()
    equal((session, len(snapshot)), (empty, 32))
    call(port, "DELETE", f"/api/sessions/{empty}", headers=login)


def verbs():
    """Names, sizes, keys and verbs that the captures do not have."""
    command = ["sh", "-c", "stty raw -echo; printf ready; exec cat -vT"]
    made = call(port, "POST", "/api/sessions", {"command": command, "name": "my séssion (1)", "cols": 90, "rows": 20},
                login).json["sessionId"]
    path = f"/api/sessions/{made}"
    got = call(port, "GET", path, headers=login).json
    equal((got["name"], got["initialCols"], got["initialRows"]), ("my-s-ssion-1", 90, 20))
    other = call(port, "POST", "/api/sessions", {"command": ["true"], "name": "my-s-ssion-1"}, login).json["sessionId"]
    equal(call(port, "GET", f"/api/sessions/{other}", headers=login).json["name"], "my-s-ssion-1-2")
    equal(call(port, "PATCH", path, {"name": "new name"}, login).json, {"success": True, "name": "new-name"})
    equal(call(port, "PATCH", path, {"name": ""}, login).status, 400)
    until(lambda: "ready" in vt("sessions", "logs", made))
    start = time.time()
    until(lambda: time.time() > start + 1)
    keys = {"arrow_up": "^[[A", "enter": "^M", "ctrl_enter": "^J", "shift_enter": "^M^J", "f5": "^[[15~", "tab": "^I"}
    for name in keys:
        equal(call(port, "POST", f"{path}/input", {"key": name}, login).json, {"success": True})
    until(lambda: vt("sessions", "logs", made).replace("\r", "").replace("\n", "^J").endswith("".join(keys.values())))
    shown = json.loads(vt("sessions", "show", made, "--json"))
    got = call(port, "GET", path, headers=login).json
    equal(got["lastModified"], shown["active_at"])
    assert got["lastModified"] > got["startedAt"]
    equal(call(port, "POST", f"{path}/input", {"key": "nonsense"}, login).status, 400)
    equal(call(port, "POST", f"{path}/input", {"key": "tab", "text": "x"}, login).status, 400)
    equal(call(port, "POST", f"{path}/input", b"no JSON", login).status, 400)
    # What comes from a client is typed by the person whom a question is for.
    vt("sessions", "ask", made, "log in", "--detach")
    equal(call(port, "POST", f"{path}/input", {"text": "asked"}, login).json, {"success": True})
    until(lambda: "asked" in vt("sessions", "logs", made))
    equal(call(port, "POST", f"{path}/reset-size", {}, login).json, {"success": True})
    equal(call(port, "DELETE", f"{path}/cleanup", headers=login).json["success"], True)
    equal(call(port, "GET", path, headers=login).status, 404)
    equal(call(port, "POST", f"{path}/input", b"x" * ((1 << 20) + 1), login).status, 413)
    equal(call(port, "PUT", path, {}, login).status, 405)


def logins():
    """Credentials, roles and links."""
    equal(call(port, "GET", "/api/auth/config").json, {"enableSSHKeys": False, "disallowUserPassword": False,
                                                      "noAuth": False, "passwordAuthMode": "configured"})
    equal(call(port, "GET", "/api/auth/current-user").status, 401)
    user = call(port, "GET", "/api/auth/current-user", headers=login).json["userId"]
    equal(call(port, "GET", "/api/auth/challenge").status, 404)
    got = call(port, "POST", "/api/auth/password", {"userId": user, "password": token}).json
    equal((got["success"], got["userId"], got["authMethod"]), (True, user, "password"))
    equal(call(port, "GET", "/api/auth/verify", headers=bearer(got["token"])).json, {"valid": True, "userId": user})
    equal(call(port, "GET", f"/api/sessions?token={token}").status, 200)
    equal(call(port, "POST", "/api/auth/logout", {}, bearer(token)).json, {"success": True})
    equal(Frames(port, path=f"/ws?token={token}").status, 101)
    equal(Frames(port).status, 401)
    equal(call(port, "POST", "/api/auth/password", {"userId": user}).status, 400)
    # Roles.
    shell = json.loads(vt("sessions", "show", "shell", "--json"))["id"]
    path = f"/api/sessions/{shell}"
    other = json.loads(vt("sessions", "show", "other", "--json"))["id"]
    for words, status in [([], 403), (["--write"], 200)]:
        given = bearer(share("shell", *words))
        for one in [call(port, "GET", path, headers=given).json, *call(port, "GET", "/api/sessions", headers=given).json]:
            equal(one.get("readOnly"), None if words else True)
        equal([one["id"] for one in call(port, "GET", "/api/sessions", headers=given).json], [shell])
        equal(call(port, "GET", f"/api/sessions/{other}", headers=given).status, 404)
        equal(call(port, "POST", f"{path}/input", {"text": "true\r"}, given).status, status)
        equal(call(port, "POST", f"{path}/resize", {"cols": 80, "rows": 24}, given).status, status)
        equal(call(port, "PATCH", path, {"name": "shell"}, given).status, status)
        equal(call(port, "POST", "/api/cleanup-exited", {}, given).status, status)
        equal(call(port, "POST", "/api/sessions", {"command": ["true"]}, given).status, 403)
        if not words:
            equal(call(port, "DELETE", path, headers=given).status, 403)
            equal(call(port, "DELETE", f"{path}/cleanup", headers=given).status, 403)
            peer = Frames(port, given)
            peer.send(30, shell, b"x")
            equal(peer.until("ERROR"), {"message": "This link does not allow typing"})
    # A signal that does not exist is an error, and ends nothing.
    peer = Frames(port, login)
    peer.send(33, shell, b"NOSUCH")
    equal(peer.until("ERROR"), {"message": "Unknown signal: NOSUCH"})
    equal(state(shell), "running")
    # A link that is revoked ends its connections.
    given = bearer(share("shell"))
    stream, peer = EventStream(port, f"{path}/stream", given), Frames(port, given)
    peer.subscribe(shell, 5)
    peer.until("STDOUT")
    until(lambda: stream.events)
    link = json.loads(vt("share", "--list", "--json"))[-1]
    equal(link["pages"], 1)
    vt("share", "--revoke", link["link"])
    equal(peer.closing(), 4403)
    stream.thread.join(30)
    assert not stream.thread.is_alive()
    equal(call(port, "GET", path, headers=given).status, 401)
    # A link that can be used once gives a token to the first login.
    once = share("shell", "--once")
    equal(call(port, "GET", path, headers=basic(once)).status, 401)
    key = call(port, "POST", "/api/auth/password", {"userId": "x", "password": once}).json["token"]
    equal(call(port, "POST", "/api/auth/password", {"userId": "x", "password": once}).status, 401)
    equal(call(port, "GET", path, headers=bearer(key)).status, 200)
    # Scripts of other sites, and names that are not those of the server.
    for name, value, status in [("Origin", "http://evil.example", 403), ("Sec-Fetch-Site", "cross-site", 403),
                                ("Host", "evil.example", 421)]:
        equal(call(port, "GET", "/api/health", headers={name: value}).status, status)
        if name != "Host":
            equal(Frames(port, {**login, name: value}).status, status)
    # Failures do not keep out a valid token; those by a query, which any site can cause, are not counted.
    for _ in range(12):
        equal(call(port, "GET", f"{path}?token={'0' * 32}").status, 401)
    statuses = [call(port, "GET", path, headers=basic("0" * 32)).status for _ in range(11)]
    assert statuses[0] == 401 and statuses[-1] == 429, statuses
    equal(call(port, "GET", path, headers=bearer("0" * 32)).status, 429)
    equal(call(port, "POST", "/api/auth/password", {"userId": "x", "password": "0" * 32}).status, 429)
    equal(call(port, "GET", f"{path}?token={'0' * 32}").status, 401)
    equal(call(port, "GET", path, headers=login).status, 200)
    equal(call(port, "POST", "/api/auth/password", {"userId": "x", "password": token}).status, 200)


def late():
    """A client that starts late sees the whole screen at once, and receives everything from then on."""
    script = "i=0; while [ $i -lt 20000 ]; do echo line $i of many; i=$((i+1)); done; printf '\\033[5;10HHERE'; read x; " \
             "echo end-$x; exit 7"
    made = call(port, "POST", "/api/sessions", {"command": ["sh", "-c", script]}, login).json["sessionId"]
    until(lambda: "HERE" in vt("sessions", "screen", made))
    stream = EventStream(port, f"/api/sessions/{made}/stream", login)
    until(lambda: "HERE" in stream.output())
    assert len(stream.output()) < 100_000, len(stream.output())
    assert "line 19999 of many" in stream.output()
    peer = Frames(port, login)
    peer.subscribe(made, 7)
    equal(peer.until("EVENT")["kind"], "header")
    text, lines = b"", None
    while lines is None or b"line 19999 of many" not in text or b"HERE" not in text:
        kind, _, payload = peer.next()
        if kind == "SNAPSHOT":
            assert text, "the snapshot precedes the output"
            lines = screen(payload)[2]
        elif kind == "STDOUT":
            text += payload
    assert "HERE" in lines[4] and len(text) < 100_000, (lines, len(text))
    # Previews receive snapshots and events only.
    preview = Frames(port, login)
    preview.subscribe(made, 6)
    equal(preview.next()[0], "WELCOME")
    equal(preview.next()[2]["kind"], "header")
    assert "HERE" in "".join(screen(preview.until("SNAPSHOT"))[2])
    call(port, "POST", f"/api/sessions/{made}/resize", {"cols": 100, "rows": 30}, login)
    equal(preview.until("EVENT"), {"kind": "resize", "dimensions": "100x30"})
    call(port, "POST", f"/api/sessions/{made}/input", {"text": "now\r"}, login)
    equal(stream.ended()[-1], ["exit", 7, made])
    assert stream.output().endswith("end-now\r\n")
    for one in (peer, preview):
        while (found := one.until("EVENT"))["kind"] != "exit":
            pass
        equal(found["exitCode"], 7)


def flood():
    """All output arrives, unchanged, at clients of both eras, also if characters are split."""
    script = "stty -echo; read x; head -c 3000000 /dev/urandom | base64 -w 0 | sed 's/a/\u00e9/g;s/b/\u4e16/g;s/c/\U0001f600/g'; sleep 1"
    made = call(port, "POST", "/api/sessions", {"command": ["sh", "-c", script]}, login).json["sessionId"]
    stream = EventStream(port, f"/api/sessions/{made}/stream", login)
    peer = Frames(port, login)
    peer.subscribe(made, 5)
    equal(peer.until("EVENT")["kind"], "header")
    until(lambda: stream.events)
    call(port, "POST", f"/api/sessions/{made}/input", {"text": "\r"}, login)
    text = b""
    while True:
        kind, _, payload = peer.next()
        if kind == "STDOUT":
            payload.decode()
            text += payload
        elif kind == "EVENT" and payload["kind"] == "exit":
            break
    expected = subprocess.run([program, "sessions", "logs", made], check=True, capture_output=True).stdout
    assert len(expected) > 4000000
    equal(text == expected, True)
    stream.ended()
    equal(stream.output().encode() == expected, True)


def ends():
    """How programs end, and a holder that is killed."""
    for command, code in [(["true"], 0), (["sh", "-c", "exit 3"], 3), (["sh", "-c", "kill -TERM $$"], 143),
                          (["sh", "-c", "kill -KILL $$"], 137)]:
        made = call(port, "POST", "/api/sessions", {"command": command}, login).json["sessionId"]
        equal(EventStream(port, f"/api/sessions/{made}/stream", login).ended()[-1], ["exit", code, made])
        equal(call(port, "GET", f"/api/sessions/{made}", headers=login).json["exitCode"], code)
    made = call(port, "POST", "/api/sessions", {"command": ["sleep", "60"]}, login).json["sessionId"]
    stream = EventStream(port, f"/api/sessions/{made}/stream", login)
    peer = Frames(port, login)
    peer.subscribe(made, 5)
    equal(peer.until("EVENT")["kind"], "header")
    until(lambda: stream.events)
    record = glob.glob(f"{os.environ['VT_HOME']}/**/{made}/session.json", recursive=True)[0]
    with open(record) as file:
        os.kill(json.load(file)["holder_pid"], 9)
    equal(stream.ended()[-1], ["exit", -1, made])
    equal(peer.until("EVENT"), {"kind": "exit", "exitCode": -1})
    got = call(port, "GET", f"/api/sessions/{made}", headers=login).json
    equal((got["status"], "exitCode" in got), ("exited", False))


def hostile():
    """Malformed, long and random frames."""
    made = call(port, "POST", "/api/sessions", {"command": ["cat"]}, login).json["sessionId"]
    peer = Frames(port, login)
    good = frame(10, made, struct.pack("<III", 5, 0, 0))
    for length in range(len(good)):
        peer.raw(2, good[:length])
    for _ in range(500):
        bad = bytearray(good)
        for _ in range(3):
            bad[os.urandom(1)[0] % len(bad)] = os.urandom(1)[0]
        if bad[3] not in (33,):
            peer.raw(2, bytes(bad))
    peer.raw(2, frame(40, "", b"\1"), fin=False)
    peer.raw(0, b"rest of the message is ignored")
    while peer.next()[0] != "PONG":
        pass
    peer = Frames(port, login)
    equal(peer.next()[0], "WELCOME")
    try:
        peer.raw(2, b"x" * ((4 << 20) + 1))
        assert peer.closing() in (1006, 1009)
    except (BrokenPipeError, ConnectionResetError):
        pass
    peer = Frames(port, login)
    for number in range(65):
        peer.subscribe(f"{number}", 5)
    equal(peer.until("ERROR"), {"message": "Session paths not found"})


def crowd():
    """Connections without a complete request do not keep others out."""
    made = call(port, "POST", "/api/sessions", {"command": ["cat"]}, login).json["sessionId"]
    idle = []
    for number in range(150):
        idle.append(socket.create_connection(("127.0.0.1", port)))
        idle[-1].sendall(b"GET /api/se" if number % 2 else b"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                         b"Content-Length: 10\r\n\r\n" % port)
    start = time.monotonic()
    equal(call(port, "GET", "/api/health").status, 200)
    equal(call(port, "GET", f"/api/sessions/{made}", headers=login).json["id"], made)
    peer = Frames(port, login)
    equal(peer.next()[0], "WELCOME")
    # They are closed after 10 and 30 seconds.
    assert time.monotonic() - start < 5


def absent():
    """A server without --vibetunnel has none of this."""
    for path in ["/api/health", "/api/sessions", "/buffers"]:
        equal(call(port, "GET", path, headers=login).status, 404)
    equal(call(port, "POST", "/api/sessions", {}, login).status, 405)
    equal(Frames(port, login).status, 400)


globals()[case]()
print("ok")

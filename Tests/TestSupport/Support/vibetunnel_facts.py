"""What programs of VibeTunnel have answered, and where 'vt serve --vibetunnel' answers differently on purpose.

The requests are those of a client of the server of June 2025; ID stands for the session that the client has created
last, FIRST for the first one, TIME for a time, and ANY for anything.
"""
import re, time

FIRST, ID, TIME, PID, ANY = "{first}", "{id}", "{time}", "{pid}", "{any}"
SUCCESS = {"success": True}
INVALID = {"error": "Invalid request body"}
UNKNOWN = {"error": "Not found"}
UNAUTHENTICATED = {"error": "Authentication required"}


def session(id, command, name, status, **more):
    return {"id": id, "command": command, "workingDir": "/tmp", "name": name, "status": status, "startedAt": TIME,
            "lastModified": TIME, "pid": PID, **more}


PRINTED = "PS1='$ '; printf 'h\\u00e9llo \\033[1;31mred\\033[0m \\033[48;2;1;2;3mrgb\\033[0m \\u4e16\\u754c\\n'\r"
BASH = ["bash", "--norc", "--noprofile"]
EXIT3 = ["sh", "-c", "echo out; sleep 1; exit 3"]
EXIT0 = ["sh", "-c", "echo ok"]

# The name, the credentials, the request, its body, and the status and body of the answer.
REQUESTS = [
    ("health", None, "GET", "/api/health", None, 200, {"mode": "normal", "status": "ok", "timestamp": TIME}),
    ("list-unauthenticated", None, "GET", "/api/sessions", None, 401, UNAUTHENTICATED),
    ("list-wrong-password", "wrong", "GET", "/api/sessions", None, 401, UNAUTHENTICATED),
    ("list-empty", "right", "GET", "/api/sessions", None, 200, []),
    ("create-no-command", "right", "POST", "/api/sessions", {"workingDir": "/tmp"}, 400, INVALID),
    ("create-string-command", "right", "POST", "/api/sessions", {"command": "bash"}, 400, INVALID),
    ("create", "right", "POST", "/api/sessions",
     {"command": BASH, "workingDir": "/tmp", "name": "work", "cols": 100, "rows": 30}, 200, {"sessionId": ID}),
    ("get", "right", "GET", f"/api/sessions/{FIRST}", None, 200, session(FIRST, " ".join(BASH), "work", "running")),
    ("get-unknown", "right", "GET", "/api/sessions/no-such", None, 404, {"error": "Session not found"}),
    ("list-one", "right", "GET", "/api/sessions", None, 200,
     [session(FIRST, " ".join(BASH), "work", "running", source="local")]),
    ("input-text", "right", "POST", f"/api/sessions/{FIRST}/input", {"text": PRINTED}, 200, SUCCESS),
    ("input-key", "right", "POST", f"/api/sessions/{FIRST}/input", {"text": "arrow_up"}, 200, SUCCESS),
    ("input-key-field", "right", "POST", f"/api/sessions/{FIRST}/input", {"key": "enter"}, 200, SUCCESS),
    ("input-empty", "right", "POST", f"/api/sessions/{FIRST}/input", {}, 400,
     {"error": "Must provide either 'text' or 'key', not both"}),
    ("resize", "right", "POST", f"/api/sessions/{FIRST}/resize", {"cols": 60, "rows": 12}, 200,
     {"cols": 60, "rows": 12, "success": True}),
    ("resize-bad", "right", "POST", f"/api/sessions/{FIRST}/resize", {"cols": 0, "rows": -1}, 400, INVALID),
    ("buffer", "right", "GET", f"/api/sessions/{FIRST}/buffer", None, 200, ANY),
    ("snapshot", "right", "GET", f"/api/sessions/{FIRST}/snapshot", None, 404, UNKNOWN),
    ("text", "right", "GET", f"/api/sessions/{FIRST}/text", None, 404, UNKNOWN),
    ("input-2", "right", "POST", f"/api/sessions/{FIRST}/input", {"text": "clear; echo hi; seq 1 5\r"}, 200, SUCCESS),
    ("create-exit3", "right", "POST", "/api/sessions", {"command": EXIT3, "workingDir": "/tmp", "name": "three"}, 200,
     {"sessionId": ID}),
    ("get-exit3", "right", "GET", f"/api/sessions/{ID}", None, 200, session(ID, " ".join(EXIT3), "three", "exited")),
    ("create-exit0", "right", "POST", "/api/sessions", {"command": EXIT0, "workingDir": "/tmp"}, 200,
     {"sessionId": ID}),
    ("get-exit0", "right", "GET", f"/api/sessions/{ID}", None, 200, session(ID, " ".join(EXIT0), "sh", "exited")),
    ("input-ended", "right", "POST", f"/api/sessions/{ID}/input", {"text": "x"}, None, None),
    ("create-not-found", "right", "POST", "/api/sessions", {"command": ["no-such-program-x"], "workingDir": "/tmp"}, 500,
     {"error": "Failed to create session: failed to start pty: exec: \"no-such-program-x\": executable file not found "
               "in $PATH"}),
    ("kill", "right", "DELETE", f"/api/sessions/{FIRST}", None, 200, {"message": "Session killed", "success": True}),
    ("get-killed", "right", "GET", f"/api/sessions/{FIRST}", None, 200,
     session(FIRST, " ".join(BASH), "work", "exited")),
    ("kill-again", "right", "DELETE", f"/api/sessions/{FIRST}", None, 200,
     {"message": "Session killed", "success": True}),
    ("cleanup-one", "right", "DELETE", f"/api/sessions/{FIRST}/cleanup", None, 200,
     {"message": "Session cleaned up", "success": True}),
    ("cleanup-exited", "right", "POST", "/api/cleanup-exited", None, 200,
     {"localCleaned": 2, "message": "2 exited sessions cleaned up", "success": True}),
    ("list-after", "right", "GET", "/api/sessions", None, 200, []),
    ("unknown-api", "right", "GET", "/api/nothing", None, 404, UNKNOWN),
    ("v3-probe", "right", "GET", "/ws", None, 200, ANY),
]


def own(id, command, name, status, columns, rows, **more):
    """Later servers send the command as an array, and the size and the exit code, which that of June 2025 forgets."""
    return session(id, command, name, status, initialCols=columns, initialRows=rows, **more)


# The answers of vt where they differ: the status, the body, and why.
DIFFERENCES = {
    "get": (200, own(FIRST, BASH, "work", "running", 100, 30)),
    "list-one": (200, [own(FIRST, BASH, "work", "running", 100, 30, source="local")]),
    # Served by all servers since June 2025.
    "text": (200, ANY),
    "get-exit3": (200, own(ID, EXIT3, "three", "exited", 80, 24, exitCode=3)),
    "get-exit0": (200, own(ID, EXIT0, "sh", "exited", 80, 24, exitCode=0)),
    # The server of June 2025 does not answer; later ones do.
    "input-ended": (400, {"error": "Session is not running"}),
    "create-not-found": (404, {"error": ANY}),
    "get-killed": (200, own(FIRST, BASH, "work", "exited", 60, 12, exitCode=ANY)),
    # vt has version 3, and the request is not a valid handshake.
    "v3-probe": (426, ANY),
}

# The events of a shell that is killed, of a session that exits with 3, and of one that has ended; that of June 2025 sends the history twice, and
# has lost the output of the latter.
HEADER = {"version": 2, "width": 80, "height": 24, "timestamp": TIME, "env": {"TERM": "xterm-256color"}}
LIVE = [
    "\x1b[?2004hbash-5.2# ",
    PRINTED[:-1] + "\r\n\x1b[?2004l\rhéllo \x1b[1;31mred\x1b[0m \x1b[48;2;1;2;3mrgb\x1b[0m 世界\r\n\x1b[?2004h$ ",
    "\r\x1b[K\r$ arrow_up\r\n\x1b[?2004l\rbash: arrow_up: command not found\r\n\x1b[?2004h$ ",
    "clear; echo hi; seq 1 5\r\n\x1b[?2004l\r\x1b[H\x1b[2J\x1b[3Jhi\r\n1\r\n2\r\n3\r\n4\r\n5\r\n\x1b[?2004h$ ",
]
STREAMS = {
    "live": [HEADER, LIVE[0], HEADER, "".join(LIVE), ["exit", -1, ID]],
    "exit3": [HEADER, "out\r\n", HEADER, "out\r\n", ["exit", 3, ID]],
    "ended": [HEADER, ["exit", 0, ID]],
}
STREAM_DIFFERENCES = {
    "exit3": [{**HEADER, "command": " ".join(EXIT3)}, "out\r\n", ["exit", 3, ID]],
    "ended": [{**HEADER, "command": " ".join(EXIT0)}, "ok\r\n", ["exit", 0, ID]],
}

# What a client sends over /ws, and what the hub of upstream answers, with adjacent output joined: kind, session, payload.
EXIT3_V3 = ["sh", "-c", "echo begin; sleep 2; printf 'caf\\303\\251 \\377 end\\n'; exit 3"]


def header(command):
    return ("EVENT", {"kind": "header", "header": {"version": 2, "width": 80, "height": 24, "timestamp": TIME,
                                                  "command": " ".join(command)}})


START = "\x1b[?2004hbash-5.2# "
ECHO = "echo héllo\r\n\x1b[?2004l\rhéllo\r\n\x1b[?2004hbash-5.2# "
ENTER = "\r\n\x1b[?2004l\r\x1b[?2004hbash-5.2# "
RESIZED = ("EVENT", {"kind": "resize", "dimensions": "132x43"})
REDRAWN = "\r\x1b[K\rbash-5.2# "
EXITED = ("EVENT", {"kind": "exit", "exitCode": 3})
EXIT3_OUTPUT = ("STDOUT", "begin\r\ncafé \ufffd end\r\n")
# The message as (kind, session, payload in hexadecimal), and the answers as (kind, session, payload).
FRAMES = [
    ((10, "", "040000000000000000000000"), [("EVENT", {"type": "connected", "timestamp": TIME}, "")]),
    ((10, "s1", "050000000000000000000000"), [(*header(BASH), "s1"), ("STDOUT", START, "s1")]),
    ((10, "s1", "050000000000000000000000"), [(*header(BASH), "s1"), ("STDOUT", START, "s1")]),
    ((30, "s1", "echo héllo\r".encode().hex()), [("STDOUT", ECHO, "s1")]),
    ((31, "s1", b"enter".hex()), [("STDOUT", ENTER, "s1")]),
    ((32, "s1", "840000002b000000"), [(*RESIZED, "s1"), ("STDOUT", REDRAWN, "s1")]),
    ((10, "s2", "050000000000000000000000"), [(*header(EXIT3_V3), "s2"), (*EXIT3_OUTPUT, "s2"), (*EXITED, "s2")]),
    ((10, "s2", "010000000000000000000000"), [(*EXIT3_OUTPUT, "s2"), (*EXITED, "s2")]),
    ((10, "s1", "070000000000000000000000"),
     [(*header(BASH), "s1"), ("STDOUT", START + ECHO + ENTER, "s1"), (*RESIZED, "s1"), ("STDOUT", REDRAWN, "s1"),
      ("SNAPSHOT", ANY, "s1")]),
    ((40, "", "010203"), [("PONG", b"\1\2\3", "")]),
    ((10, "s1", "01"), [("ERROR", {"message": "Invalid SUBSCRIBE payload"}, "s1")]),
    ((10, "no-such", "050000000000000000000000"), [("ERROR", {"message": "Session paths not found"}, "no-such")]),
    ((30, "", "78"), [("ERROR", {"message": "Missing sessionId for INPUT_TEXT"}, "")]),
    ((30, "no-such", "78"), [("ERROR", {"message": "Session not found"}, "no-such")]),
    ((32, "s1", "01"), [("ERROR", {"message": "Invalid RESIZE payload"}, "s1")]),
    ("garbage", []),
    ("text", []),
    ((99, "s1", ""), []),
    ((33, "s1", b"SIGKILL".hex()), [("EVENT", {"kind": "exit", "exitCode": 137}, "s1")]),
]
# Sent when the second session ends.
NEWS = {"type": "session-exit", "sessionId": "s2", "exitCode": 3, "timestamp": TIME}

# The rows of the snapshot after the subscription with snapshots, and of one over /buffers.
PROMPT = "0162016101730168012d0135012e0132012300"
SNAPSHOT_ROWS = (f"fd1400{PROMPT}016501630168016f0001684202c3a9016c016c016f" "fd050001684202c3a9016c016c016f"
                 f"fd0a00{PROMPT}fd0a00{PROMPT}" + "fe01" * 39)


def equal(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


def matches(found, expected, names):
    """Whether a value is the expected one, in which names stand for values."""
    if expected == ANY:
        return True
    if expected == TIME:
        if isinstance(found, int):
            return abs(found - time.time()) < 3600
        return re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", found) is not None
    if expected == PID:
        return isinstance(found, int)
    if isinstance(expected, str) and expected in names:
        return found == names[expected]
    if isinstance(expected, dict):
        return (isinstance(found, dict) and found.keys() == expected.keys()
                and all(matches(found[name], expected[name], names) for name in expected))
    if isinstance(expected, list):
        return (isinstance(found, list) and len(found) == len(expected)
                and all(matches(*pair, names) for pair in zip(found, expected)))
    return found == expected


def check(found, expected, names):
    assert matches(found, expected, names), f"{found!r} is not {expected!r} with {names!r}"


def check_answer(name, got, status, answer, names):
    """Compares the answer to the request of this name, and adds the session that it has created to the names."""
    equal((name, got.status), (name, status))
    if answer == {"sessionId": ID}:
        names[ID] = got.json["sessionId"]
        names.setdefault(FIRST, got.json["sessionId"])
    if answer != ANY:
        equal(got.type, "application/json; charset=utf-8")
        check(got.json, answer, names)


def named(text, names):
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def joined(events):
    """The events, with the data of adjacent outputs joined."""
    result = []
    for event in events:
        if isinstance(event, list) and event[1] == "o":
            if result and isinstance(result[-1], str):
                result[-1] += event[2]
            else:
                result.append(event[2])
        else:
            result.append(event)
    return result

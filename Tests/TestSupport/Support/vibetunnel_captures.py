"""Compares the facts with captures of programs of VibeTunnel: FOLDER; prints ok."""
import json, sys
import vibetunnel_facts as facts
from vibetunnel_facts import check, equal, joined, named
from vibetunnel_client import frame

folder = sys.argv[1]


def compare(found, expected, names):
    """Compares without the times."""
    def plain(value):
        if isinstance(value, dict):
            return {name: "a time" if name in ("timestamp", "startedAt", "lastModified") else plain(part)
                    for name, part in value.items()}
        return [plain(part) for part in value] if isinstance(value, list) else value

    check(plain(found), plain(expected), names)


def requests():
    names = {}
    with open(f"{folder}/go-capture/index.jsonl") as file:
        index = [json.loads(line) for line in file]
    for entry, (name, credentials, method, path, body, status, answer) in zip(index, facts.REQUESTS, strict=True):
        equal(entry["name"], name)
        with open(f"{folder}/go-capture/{entry['file']}", errors="replace") as file:
            given = file.read().split("\n<<< response")[0].partition("\n\n")[2]
        equal(json.loads(given) if given.strip() else None, body)
        found = entry.get("body")
        if answer == {"sessionId": facts.ID}:
            names[facts.ID] = json.loads(found)["sessionId"]
            names.setdefault(facts.FIRST, names[facts.ID])
        equal(named(path, names), entry["path"])
        equal(entry["status"] or None, status)
        if answer not in (None, facts.ANY):
            compare(json.loads(found), answer, names)
    for stream, expected in facts.STREAMS.items():
        with open(f"{folder}/go-capture/stream-{stream}.sse") as file:
            events = [json.loads(line[6:]) for line in file if line.startswith("data: ")]
        names[facts.ID] = events[-1][2]
        compare(joined(events), expected, names)


def frames():
    with open(f"{folder}/v3-capture/frames.jsonl") as file:
        frames = [json.loads(line) for line in file]
    sent = [entry for entry in frames if entry["dir"] == "c"]
    equal(len(sent), len(facts.FRAMES))
    for entry, (message, _) in zip(sent, facts.FRAMES):
        if isinstance(message, tuple):
            kind, session, payload = message
            equal(entry["hex"], frame(kind, session, bytes.fromhex(payload)).hex())
    news = [answer for _, answers in facts.FRAMES for answer in answers]
    news.insert(-1, ("EVENT", facts.NEWS, "s2"))
    received = []
    for entry in frames:
        if entry["dir"] == "c":
            received.append(None)
            continue
        payload = entry["payload"]
        if entry["type"] in ("EVENT", "ERROR", "WELCOME"):
            payload = json.loads(payload)
        last = received[-1] if received else None
        if last and last[0] == entry["type"] == "STDOUT" and last[2] == entry["session"]:
            received[-1] = ("STDOUT", last[1] + payload, entry["session"])
        else:
            received.append((entry["type"], payload, entry["session"]))
    received = [entry for entry in received if entry]
    equal(received.pop(0), ("WELCOME", {"ok": True, "version": 3}, ""))
    for (kind, payload, session), expected in zip(received, news, strict=True):
        equal((kind, session), (expected[0], expected[2]))
        if kind != "PONG":
            compare(payload, expected[1], {})


requests()
frames()
print("ok")

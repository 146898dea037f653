"""A client of VibeTunnel's protocols that uses only the standard library."""
import base64, http.client, json, struct, threading, time
from page_client import Socket

KINDS = {2: "WELCOME", 20: "STDOUT", 21: "SNAPSHOT", 22: "EVENT", 23: "ERROR", 41: "PONG"}


def until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.02)


def basic(token, user="ann"):
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{token}".encode()).decode()}


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class Answer:
    def __init__(self, response):
        self.status, self.type = response.status, response.getheader("Content-Type")
        self.headers, self.body = response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)


def call(port, method, path, body=None, headers=None):
    """Makes a request; the body is JSON, unless it is bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    headers = dict(headers or {})
    if data is not None:
        headers["Content-Type"] = "application/json"
    connection.request(method, path, data, headers)
    try:
        return Answer(connection.getresponse())
    finally:
        connection.close()


class EventStream:
    """The server-sent events of a session, which a thread reads."""

    def __init__(self, port, path, headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.connection.request("GET", path, headers=headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.status
        assert self.response.getheader("Content-Type") == "text/event-stream"
        self.events, self.comments, self.error = [], [], None
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        try:
            for line in self.response:
                text = line.decode().rstrip("\n")
                if text.startswith("data: "):
                    self.events.append(json.loads(text[6:]))
                elif text:
                    self.comments.append(text)
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            self.error = error

    def ended(self, timeout=30):
        """Waits for the end of the answer, and returns all events."""
        self.thread.join(timeout)
        assert not self.thread.is_alive(), self.events
        return self.events

    def until_output(self, text):
        """Waits until exactly this has been written."""
        until(lambda: len(self.output()) >= len(text))
        assert self.output() == text, self.output()

    def output(self):
        return "".join(event[2] for event in self.events if isinstance(event, list) and event[1] == "o")


def frame(kind, session="", payload=b""):
    name = session.encode()
    return struct.pack("<HBBI", 0x5654, 3, kind, len(name)) + name + struct.pack("<I", len(payload)) + payload


class Frames(Socket):
    """A connection to /ws."""

    def __init__(self, port, headers=(), path="/ws", **options):
        super().__init__(port, path, protocol=None, extra=[f"{name}: {value}" for name, value in dict(headers).items()],
                         **options)

    def send(self, kind, session="", payload=b""):
        self.raw(2, frame(kind, session, payload))

    def subscribe(self, session, flags):
        self.send(10, session, struct.pack("<III", flags, 0, 0))

    def next(self):
        """The name of the kind, the session and the payload of the next frame."""
        opcode, message = self.message()
        assert opcode == 2, message
        magic, version, kind, size = struct.unpack("<HBBI", message[:8])
        assert (magic, version) == (0x5654, 3)
        length = struct.unpack("<I", message[8 + size:12 + size])[0]
        assert len(message) == 12 + size + length
        payload = message[12 + size:]
        name = KINDS[kind]
        if name in ("WELCOME", "EVENT", "ERROR"):
            payload = json.loads(payload)
        return name, message[8:8 + size].decode(), payload

    def until(self, name):
        """The payload of the next frame of a kind."""
        while True:
            got = self.next()
            if got[0] == name:
                return got[2]


class Buffers(Socket):
    """A connection to /buffers."""

    def __init__(self, port, headers):
        super().__init__(port, "/buffers", protocol=None,
                         extra=[f"{name}: {value}" for name, value in headers.items()])

    def send(self, **members):
        self.raw(1, json.dumps(members).encode())

    def next(self):
        """The next message: an object, or a session and a snapshot."""
        opcode, message = self.message()
        if opcode == 1:
            return json.loads(message)
        assert message[0] == 0xbf
        size = struct.unpack("<I", message[1:5])[0]
        return message[5:5 + size].decode(), message[5 + size:]


def screen(snapshot):
    """The size, cursor and lines of a snapshot."""
    magic, version, _, columns, rows, _, x, y, _ = struct.unpack("<HBBIIiiiI", snapshot[:28])
    assert (magic, version) == (0x5654, 1)
    rest = snapshot[28:]
    lines = []
    while rest:
        if rest[0] == 0xfe:
            lines += [""] * rest[1]
            rest = rest[2:]
            continue
        assert rest[0] == 0xfd
        count, rest, line = struct.unpack("<H", rest[1:3])[0], rest[3:], ""
        for _ in range(count):
            kind, rest = rest[0], rest[1:]
            size = {0: 0, 1: 1}.get(kind & 3)
            if size is None:
                size, rest = rest[0], rest[1:]
            line += rest[:size].decode() if size else " "
            rest = rest[size:]
            if kind & 0x80:
                rest = rest[1 + bool(kind & 0x20) * (3 if kind & 8 else 1) + bool(kind & 0x10) * (3 if kind & 4 else 1):]
        lines.append(line.rstrip())
    assert len(lines) == rows
    return (columns, rows), (x, y), lines

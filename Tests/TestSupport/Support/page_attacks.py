"""Attacks on 'vt serve' beside two pages of its user: CASE PORT TOKEN VT PID SECONDS MIB MS; prints ok.

The server's memory stays below MIB, a key is painted within MS milliseconds, and 'vt share --revoke' and a login take at
most two seconds (or MS), while the attack goes on.
"""
import contextlib, json, os, signal, socket, struct, subprocess, sys, threading, time
from page_client import Page, Socket

case, port, token, program, server = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])
seconds, memory, latency = float(sys.argv[6]), int(sys.argv[7]), int(sys.argv[8])
own = f"127.0.0.1:{port}"
# Errors that a connection ends with; attackers go on.
LOST = (OSError, ConnectionError, RuntimeError)


def vt(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def share(*words):
    return vt("share", *words).strip().split("#k=")[1]


def masked(opcode, payload=b"", fin=True):
    """A frame of a client, with a mask of zeros."""
    size = len(payload)
    head = bytes([(0x80 if fin else 0) | opcode])
    head += bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size)
    return head + bytes(4) + payload


def request(kind, payload=b""):
    return masked(2, struct.pack(">IB", len(payload) + 1, kind) + payload)


def flood(open_page, make):
    """Sends what `make` returns, again and again, and reads nothing."""
    while True:
        with contextlib.suppress(*LOST):
            page = open_page()
            page.socket.settimeout(30)
            while True:
                page.socket.sendall(make())


def hold(open_one, count):
    """Keeps connections open, and replaces those that the server has closed."""
    held = []
    while True:
        for one in [one for one in held if is_closed(one)]:
            held.remove(one)
            one.close()
        with contextlib.suppress(*LOST):
            while len(held) < count:
                held.append(open_one())
        time.sleep(0.02)


def is_closed(one):
    try:
        return one.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def connected(head=b""):
    one = socket.create_connection(("127.0.0.1", port), timeout=5)
    one.sendall(head)
    return one


def unread(head):
    """A request of which hardly anything of the answer fits into the buffers of the system."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.settimeout(5)
    one.connect(("127.0.0.1", port))
    one.sendall(head)
    return one


def watching(link):
    page = Page(port, link, buffer=4096)
    page.watch("shell")
    return page


# MARK: Attacks; each returns functions that run in processes of their own, with a link for watching.

def pings(link):
    frames = masked(9, b"x" * 125) * 500
    return [lambda: flood(lambda: watching(link), lambda: frames)] * 2


def pings_of_strangers(link):
    frames = masked(9, b"x" * 125) * 500
    return [lambda: flood(lambda: Page(port, buffer=4096), lambda: frames)] * 2


def refused_input(link):
    """Input that the link does not allow, of all kinds."""
    def attack():
        sequence = 0

        def frames():
            nonlocal sequence
            parts = []
            for kind, payload in [(17, b"\0x"), (99, b"Up"), (100, b"x")] * 100:
                sequence += 1
                parts.append(request(kind, struct.pack(">Q", sequence) + payload))
            return b"".join(parts)

        def start():
            nonlocal sequence
            sequence = 0
            return watching(link)

        flood(start, frames)
    return [attack] * 2


def requests(link):
    """What a page may request."""
    key = os.urandom(16)
    frames = b"".join([request(98, struct.pack(">Q", 1)), request(101, struct.pack(">IH", 1, 500)), request(103),
                       request(97, key + b"shell"), request(102, struct.pack(">QB", 0, 1)), request(200)]) * 50
    return [lambda: flood(lambda: watching(link), lambda: frames)] * 2


def fragments(link):
    """A message of 64 KiB in as many frames."""
    frames = masked(2, b"\0", fin=False) + masked(0, b"\0", fin=False) * 60_000
    return [lambda: flood(lambda: watching(link), lambda: frames)] * 2


def calls(link):
    """Calls of a program whose answers are not read."""
    def start():
        page = Page(port, buffer=4096)
        page.send(104, link.encode())
        return page
    text = json.dumps({"call": "list"}).encode()
    frames = masked(2, struct.pack(">IB", len(text) + 1, 64) + text) * 200
    return [lambda: flood(start, lambda: frames)] * 2


def sockets(link):
    def start():
        return Socket(port).socket
    return [lambda: hold(start, 96)] * 2


def connections(link):
    return [lambda: hold(connected, 96), lambda: hold(lambda: connected(b"GET / HTTP/1.1\r\nHost: "), 96)]


def downloads(link):
    def start():
        page.send(103)
        path = json.loads(page.until(66))["path"]
        return unread(f"GET /{path} HTTP/1.1\r\nHost: {own}\r\n\r\n".encode())

    def attack():
        global page
        page = Page(port, link)
        page.watch("long")
        hold(start, 95)
    return [attack]


def logins(link):
    def attack():
        while True:
            with contextlib.suppress(*LOST):
                Page(port, "0" * 32).closing()
    return [attack] * 2


# MARK: With --vibetunnel

def interface(method, path, body=b"", given=None):
    fields = [f"{method} {path} HTTP/1.1", f"Host: {own}", f"Content-Length: {len(body)}",
              *([f"Authorization: Bearer {given}"] if given else []), "", ""]
    return "\r\n".join(fields).encode() + body


def bodies(link):
    """Bodies without a login, of which the end is missing."""
    head = interface("POST", "/api/auth/password", b"x" * (1 << 20))[:-1]
    return [lambda: hold(lambda: connected(head), 90)]


def chunks(link):
    """A body in the smallest chunks."""
    head = f"POST /api/sessions HTTP/1.1\r\nHost: {own}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()

    def attack():
        while True:
            with contextlib.suppress(*LOST):
                connected(head + b"1\r\nx\r\n" * 500_000).close()
    return [attack] * 2


def streams(link):
    """Streams of a session that are not read."""
    identifier = json.loads(vt("sessions", "show", "long", "--json"))["id"]
    head = interface("GET", f"/api/sessions/{identifier}/stream", given=longlink)
    return [lambda: hold(lambda: unread(head), 28)]


def messages(link):
    """Long messages of programs that may only watch, of which the end is missing."""
    part = b"\x82\xff" + struct.pack(">Q", 4 << 20) + bytes(4) + bytes((4 << 20) - 1)

    def start():
        one = Socket(port, protocol=None, extra=[f"Authorization: Bearer {link}"])
        one.socket.sendall(part)
        return one.socket
    return [lambda: hold(start, 28)]


def frames_of_pages(link):
    """Long frames of pages without a login, of which the end is missing."""
    part = b"\x82\xff" + struct.pack(">Q", 4 << 20) + bytes(4) + bytes((4 << 20) - 1)

    def start():
        one = Socket(port)
        one.socket.sendall(part)
        return one.socket
    return [lambda: hold(start, 60)]


# MARK: The pages of the user

def resident(field="VmRSS"):
    with open(f"/proc/{server}/status") as file:
        return int(next(line for line in file if line.startswith(field)).split()[1]) >> 10


def logged_in(link):
    """Returns a page that has logged in; as a page does, it tries again when its connection is closed."""
    deadline = time.monotonic() + 30
    while True:
        try:
            page = Page(port, link)
            page.until(112)
            return page
        except LOST:
            if time.monotonic() > deadline:
                raise


class Typist:
    """A page of the user, on which keys are typed and painted."""

    def __init__(self, link, name):
        self.page = logged_in(link)
        self.page.watch(name)
        self.page.until(113)
        self.count = 0
        self.worst = 0

    def type(self):
        self.count += 1
        text = f"{self.count:05}"
        began = time.monotonic()
        self.page.type(text.encode() + b"\r")
        self.page.wait(text)
        self.worst = max(self.worst, time.monotonic() - began)


def check():
    """Types, and makes and revokes a link, while the attack goes on."""
    typists = [Typist(token, "cat"), Typist(share("cat", "--write"), "cat")]
    worst, stops = {"revoke": 0, "login": 0}, []

    def revoke():
        while not stops:
            began = time.monotonic()
            vt("share", "cat")
            link = json.loads(vt("share", "--list", "--json"))[-1]["link"]
            began = time.monotonic()
            vt("share", "--revoke", link)
            worst["revoke"] = max(worst["revoke"], time.monotonic() - began)
            time.sleep(0.2)

    def log_in():
        while not stops:
            began = time.monotonic()
            logged_in(token).close()
            worst["login"] = max(worst["login"], time.monotonic() - began)
            time.sleep(0.2)

    failures = []

    def guarded(action):
        try:
            action()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=[action]) for action in (revoke, log_in)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline:
            for typist in typists:
                typist.type()
            time.sleep(0.05)
    finally:
        stops.append(True)
        for thread in threads:
            thread.join()
    worst["key"] = max(typist.worst for typist in typists)
    worst = {name: round(value * 1000) for name, value in worst.items()}
    print(case, worst, "ms, peak", resident("VmHWM"), "MiB,", typists[0].count, "keys", file=sys.stderr)
    assert not failures, failures
    assert worst["key"] <= latency, worst
    assert worst["revoke"] <= max(2000, latency) and worst["login"] <= max(2000, latency), worst
    assert resident("VmHWM") < memory, resident("VmHWM")


def run(attack):
    child = os.fork()
    if child == 0:
        try:
            attack()
        finally:
            os._exit(1)
    return child


longlink = share("long")
children = [run(attack) for attack in globals()[case](share("shell") if case != "downloads" else longlink)]
try:
    check()
    assert all(os.waitpid(child, os.WNOHANG) == (0, 0) for child in children), "an attacker has ended"
finally:
    for child in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
print("ok")

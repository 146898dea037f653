"""Checks of 'vt serve' with raw requests and a client: CASE PORT TOKEN VT; prints ok."""
import contextlib, fcntl, json, os, pty, signal, socket, ssl, struct, subprocess, sys, termios, threading, time
from page_client import Page, failure, request

case, port, token, program = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
own = f"127.0.0.1:{port}"


def vt(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def share(*words):
    return vt("share", *words).strip().split("#k=")[1]


def equal(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


def status(*lines, path="/", method="GET"):
    answer = request(port, "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode())
    head = answer.split(b"\r\n\r\n")[0].decode().lower()
    for name in ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff",
                 "referrer-policy: no-referrer", "cache-control: no-store", "cross-origin-opener-policy: same-origin",
                 "cross-origin-resource-policy: same-origin"]:
        assert name in head, (name, head)
    assert "frame-ancestors 'none'" in head and "access-control" not in head and "set-cookie" not in head
    return int(head.split()[1])


def requests():
    host = f"Host: {own}"
    size = 0
    for path in ["/", "/app.js", "/app.css", "/icon.svg"]:
        equal(status(host, path=path), 200)
        size += len(request(port, f"GET {path} HTTP/1.1\r\n{host}\r\n\r\n".encode()).split(b"\r\n\r\n", 1)[1])
    assert 20_000 < size <= 44_000, size
    equal(status(f"Host: localhost:{port}"), 200)
    equal(status(host, path="/../etc/passwd"), 404)
    equal(status(host, path="/ws"), 400)
    equal(status(host, "Sec-WebSocket-Protocol: vt.1", path="/ws"), 426)
    equal(status(host, method="POST"), 405)
    equal(status(), 400)
    for name in ["evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"0.0.0.0:{port}"]:
        equal(status(f"Host: {name}"), 421)
    for origin in ["http://evil.example", "null", f"http://127.0.0.1:{port + 1}", f"https://{own}"]:
        equal(status(host, f"Origin: {origin}"), 403)
        equal(Page(port, extra=[f"Origin: {origin}"]).status, 403)
    equal(status(host, f"Origin: http://{own}"), 200)
    for site in ["cross-site", "same-site"]:
        for path in ["/", "/app.js", "/ws", "/download/x"]:
            equal(status(host, f"Sec-Fetch-Site: {site}", path=path), 403)
        equal(status(host, f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: navigate"), 200)
        equal(status(host, f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: navigate", path="/app.js"), 403)
        equal(Page(port, extra=[f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: navigate"]).status, 403)
    for site in ["same-origin", "none"]:
        equal(status(host, f"Sec-Fetch-Site: {site}"), 200)
    equal(Page(port, host="evil.example").status, 421)
    equal(status(host, path="/download/x"), 404)
    # The form of requests to proxies.
    equal(status(host, path=f"http://{own}/app.js"), 200)
    equal(status(host, path=f"http://{own}"), 200)
    for other in ["http://evil.example/", f"https://{own}/", f"http://a@{own}/", f"ftp://{own}/"]:
        assert status(host, path=other) in (404, 421), other


def heads():
    answer = request(port, b"GET / HTTP/1.1\r\nHost: " + own.encode() + b"\r\nX: " + b"x" * (16 << 10) + b"\r\n\r\n")
    equal(answer.split()[1], b"431")
    equal(request(port, b"nonsense\r\n\r\n").split()[1], b"400")
    # Requests that follow another one are not answered.
    double = f"GET / HTTP/1.1\r\nHost: {own}\r\n\r\n".encode() * 2
    equal(request(port, double).count(b"HTTP/1.1"), 1)
    began = time.monotonic()
    answer = request(port, b"GET / HTTP/1.1\r\nHost: ")
    equal(answer.split()[1], b"408")
    assert time.monotonic() - began < 20


def frames():
    def closed(opcode, payload=b"", **options):
        page = Page(port, token)
        page.raw(opcode, payload, **options)
        return page.closing()

    equal(closed(1, b"text"), 1003)
    equal(closed(2, b"\0\0\0\1\x60", mask=False), 1002)
    equal(closed(2, b"\0\0\0\1\x60", reserved=4), 1002)
    equal(closed(3), 1002)
    equal(closed(11), 1002)
    equal(closed(0, b"x"), 1002)
    equal(closed(9, b"x" * 126), 1002)
    equal(closed(9, b"x", fin=False), 1002)
    equal(closed(2, b"x" * ((64 << 10) + 1)), 1009)
    equal(closed(2, b"\0\0\0\2\x60"), 1002)
    equal(closed(2, b""), 1002)
    equal(closed(2, b"\0\0\0\1\2"), 1002)
    page = Page(port, token)
    page.raw(2, b"x" * 40000, fin=False)
    page.raw(0, b"x" * 40000)
    equal(page.closing(), 1009)
    # Frames of a message, with a ping between them.
    page = Page(port, token)
    name = page.key + b"shell"
    page.raw(2, struct.pack(">IB", len(name) + 1, 97), fin=False)
    page.raw(9, b"ping")
    page.raw(0, name)
    page.until(116)
    page.send(200, b"a frame of a later version")
    page.watch("shell")
    page.raw(8, struct.pack(">H", 1000))
    equal(page.closing(), 1000)


def logins():
    equal(Page(port, "").closing(), 4401)
    page = Page(port)
    page.send(97, bytes(16) + b"shell")
    equal(page.closing(), 4400)
    page = Page(port)
    page.raw(2, b"junk")
    equal(page.closing(), 4400)
    began = time.monotonic()
    equal(Page(port).closing(), 4408)
    assert 4 < time.monotonic() - began < 10
    for _ in range(9):
        equal(Page(port, "0" * 32).closing(), 4401)
    # Ten failures are enough, and do not keep out a page with the right token.
    equal(Page(port, "0" * 32).closing(), 4429)
    Page(port, token).until(112)


def roles():
    page = Page(port, share("shell"))
    equal(json.loads(page.until(112))["role"], "read")
    equal([entry["session"] for entry in json.loads(page.until(114))], ["shell"])
    page.send(97, page.key + b"other")
    equal(failure(page.until(6))[0], "not-found")
    page.watch("shell")
    page.until(113)
    for send in [lambda: page.type(b"x"), lambda: page.press("Enter"), lambda: page.paste(b"x")]:
        send()
        equal(failure(page.until(6))[0], "auth.denied")
    size = page.state["size"]
    page.send(18, struct.pack(">HH", 100, 30))
    writer = Page(port, share("shell", "--write"))
    writer.watch("shell")
    writer.type(b"echo $((6*7))\r")
    equal(writer.accepted(), 1)
    writer.wait("42")
    page.wait("42")
    equal(page.state["size"], size)
    writer.send(18, struct.pack(">HH", 100, 30))
    while page.state["size"] != {"columns": 100, "rows": 30}:
        page.until(113)


def question():
    """Pages show a question, and those that can type answer it."""
    def ask(page, action, message):
        words = [action.encode(), message.encode()]
        page.send(29, b"".join(struct.pack(">I", len(word)) + word for word in words) + b"\0")

    def asked(page):
        while True:
            entry, = (entry for entry in json.loads(page.until(114)) if entry["session"] == "shell")
            if "question" in entry:
                return entry["question"]

    reader, writer = Page(port, share("shell")), Page(port, share("shell", "--write"))
    for page in (reader, writer):
        page.watch("shell")
    message = "log in \x1b[31m\u202e<b>"
    asking = subprocess.Popen([program, "sessions", "ask", "shell", message])
    for page in (reader, writer):
        equal(asked(page), message)
    ask(reader, "done", message)
    writer.type(b"echo $((6*7))\r")
    writer.wait("42")
    ask(writer, "done", "another question")
    assert b"no longer open" in writer.until(67)
    equal(subprocess.run([program, "sessions", "send", "shell", "x"], capture_output=True).returncode, 75)
    equal(asking.poll(), None)
    ask(writer, "done", message)
    equal(asking.wait(), 0)
    for page in (reader, writer):
        while "question" in json.loads(page.until(114))[0]:
            pass
    asking = subprocess.Popen([program, "sessions", "ask", "shell", "again"], stderr=subprocess.DEVNULL)
    equal(asked(writer), "again")
    ask(writer, "refuse", "again")
    equal(asking.wait(), 1)
    # Only answers come from pages.
    ask(writer, "ask", "x")
    equal(writer.closing(), 1002)


def sizes():
    """The size of a page that has gone does not stay."""
    def wait(columns):
        while json.loads(vt("sessions", "show", "shell", "--json"))["size"]["columns"] != columns:
            time.sleep(0.05)

    def drain():
        # The terminal cannot be read any more when the client has ended.
        with contextlib.suppress(OSError):
            while os.read(terminal, 65536):
                pass

    child, terminal = pty.fork()
    if child == 0:
        os.execv(program, [program, "attach", "shell"])
    threading.Thread(target=drain, daemon=True).start()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 90, 0, 0))
    wait(90)
    page = Page(port, token)
    page.watch("shell")
    page.send(18, struct.pack(">HH", 40, 10))
    page.until(113)
    while page.state["size"] != {"columns": 40, "rows": 10}:
        page.until(113)
    wait(40)
    page.close()
    wait(90)
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)


def links():
    revoked = Page(port, share("shell"))
    revoked.watch("shell")
    link = json.loads(vt("share", "--list", "--json"))[-1]
    equal((link["role"], link["session"], link["pages"]), ("read", "shell", 1))
    assert "url" not in link
    vt("share", "--revoke", link["link"])
    equal(revoked.closing(), 4403)
    expired = share("shell", "--expires", "1s")
    page = Page(port, expired)
    equal(page.closing(), 4401)
    equal(Page(port, expired).closing(), 4401)
    # A page replaces the token by its key, and does so again if it has not received the answer.
    for words in [[], ["--write"], ["--write", "--once"], ["--owner"]]:
        given, key = share(*["shell"] * ("--owner" not in words), *words), os.urandom(24).hex()
        for text in [f"{given} {key}", f"{given} {key}", key]:
            page = Page(port, text)
            assert "reusable" not in json.loads(page.until(112))
            equal(page.watch("shell")["role"], "owner" if "--owner" in words else "write" if words else "read")
        equal(Page(port, given).closing(), 4405)
        equal(Page(port, f"{given} {os.urandom(24).hex()}").closing(), 4405)
        assert json.loads(vt("share", "--list", "--json"))[-1]["used"]
    # A key that is easy to guess is refused, and a link that can be used once requires one.
    equal(Page(port, share("shell") + " key").closing(), 4400)
    equal(Page(port, share("shell", "--once")).closing(), 4406)
    # A link for several people keeps its token.
    reusable = share("shell", "--reusable")
    for _ in range(2):
        page = Page(port, f"{reusable} {os.urandom(24).hex()}")
        equal(json.loads(page.until(112))["reusable"], True)
    for words in [["--write"], ["--once"], ["--owner"]]:
        refused = subprocess.run([program, "share", "shell", "--reusable", *words], capture_output=True, text=True)
        equal(refused.returncode, 64)
    # A program keeps the token, until a page replaces it.
    given = share("shell")
    for _ in range(2):
        program_page = Page(port)
        program_page.send(104, given.encode())
        program_page.send(1, struct.pack(">HQI", 1, 0, 0))
        program_page.receive()
    equal(json.loads(vt("share", "--list", "--json"))[-1]["used"], False)
    wrong = subprocess.run([program, "share", "missing"], capture_output=True, text=True)
    equal(wrong.returncode, 66)
    second = subprocess.run([program, "serve", "--listen", "127.0.0.1:0"], capture_output=True, text=True)
    equal(second.returncode, 75)


def clients():
    # Clients that have not logged in count only as connections.
    idle = [Page(port) for _ in range(40)]
    equal({page.status for page in idle}, {101})
    pages = [Page(port, token) for _ in range(32)]
    for page in pages:
        page.until(112)
    equal(Page(port).status, 503)
    # What a script of the page can see.
    equal(status(f"Host: {own}", path="/ws"), 503)
    pages.pop().close()
    page = Page(port, token)
    while page.status == 503:
        page = Page(port, token)
    page.until(112)


def places():
    """One link never takes the places of all others."""
    greedy, modest = (share("shell", "--reusable") for _ in range(2))
    pages = []
    for given, count in [(greedy, 16), (modest, 8)]:
        for _ in range(count):
            pages.append(Page(port, given))
            pages[-1].until(112)
        equal(Page(port, given).closing(), 4503)
    pages += [Page(port, token) for _ in range(8)]
    for page in pages[-8:]:
        page.until(112)
    equal(Page(port, token).status, 503)
    # The places of pages that have gone are free again.
    for page in pages[:16]:
        page.close()
    while (page := Page(port, token)).status == 503:
        pass
    page.until(112)


def names():
    """A page and a link follow a session that is renamed, and not one that gets its name."""
    token_of_link = share("shell", "--write")
    page = Page(port, token_of_link)
    known = page.watch("shell")
    vt("sessions", "rename", "shell", "renamed")
    vt("sessions", "create", "shell", "--", "cat")
    equal(json.loads(vt("share", "--list", "--json"))[-1]["session"], "renamed")
    page.close()
    page = Page(port, token_of_link)
    equal(page.watch(known["id"])["session"], "renamed")
    page.send(97, page.key + b"shell")
    equal(failure(page.until(6))[0], "not-found")


def input():
    """Input arrives once and in order, although the connection is cut after each part."""
    # Until the terminal's echo is off, input would appear twice.
    vt("sessions", "wait", "cat", "--match", "ready", "--from", "0")
    key = os.urandom(16)
    texts = [f"{number:03}\r".encode() for number in range(100)]
    sequence, answered = 0, 0
    while answered < len(texts):
        page = Page(port, token)
        page.key = key
        page.watch("cat")
        answered = page.answered
        page.sequence = answered
        for text in texts[answered:answered + 3]:
            page.type(text)
        page.socket.shutdown(1 if answered % 2 else 2)
        page.close()
    expected = "ready\n" + "".join(f"{number:03}\n" for number in range(100))
    deadline = time.monotonic() + 20
    while vt("sessions", "logs", "cat").replace("\r", "") != expected:
        assert time.monotonic() < deadline, vt("sessions", "logs", "cat")


def answers():
    """Each input has one answer, in order."""
    page = Page(port, token)
    page.watch("shell")
    page.type(b"echo a")
    page.press("NoSuchKey")
    page.paste(b"b")
    page.press("Enter")
    found = []
    while len(found) < 4:
        kind, payload = page.receive()
        if kind == 113:
            page.paint(payload)
        if kind in (6, 36):
            found.append(kind)
    equal(found, [36, 6, 36, 36])
    page.wait("ab")
    # An input that is missing cannot be made up for.
    page.sequence += 1
    page.type(b"x")
    equal(page.closing(), 1002)


def equality():
    """The rows of a page are those of 'vt sessions screen'."""
    page = Page(port, token)
    page.watch("shell")
    texts = [r"\e[1mbold\e[m \e[3;4;38;5;200mitalic\e[m \e[7;9mx\e[m\n", "\u6f22\u5b57 \U0001F468\u200D\U0001F469 e\u0301\n",
             r"\e[48;2;1;2;3m\e[4:3;58;2;9;8;7mcurly\e[m\n", r"\e]8;;https://example.org\e\\link\e]8;;\e\\\n",
             r"\e]8;;javascript:alert(1)\e\\bad\e]8;;\e\\ <script>alert(1)</script> \u202e\n", r"\e[5;20HX\e[2;3r\e[r",
             r"\e]0;<b>title</b>\a\e[?25l", r"\e[?1049h\e[2J\e[Halternate", r"\e[?1049l", r"\e#6wide\n", r"\e[2 q\e[?25h",
             r"\e(0lqk\e(B\n", r"\e]52;c;aGk=\a"]
    page.type(b"PS1=; stty -echo\r")
    for index, text in enumerate(texts):
        page.type(f"printf '{text}'; printf 'done-%s ' {index}\r".encode())
        page.wait(f"done-{index}")
        document = json.loads(vt("sessions", "screen", "shell", "--json"))
        while page.state["offset"] < document["offset"]:
            page.until(113)
        rows = [page.lines[at] for at in range(len(page.lines))]
        for row in rows:
            row.pop("at", None)
        equal(rows, document["rows"])
        for field in ["cursor", "size", "alternate", "title", "modes"]:
            equal(page.state.get(field), document.get(field))
        for at, row in enumerate(rows):
            row["at"] = at


def history():
    page = Page(port, token)
    page.watch("shell")
    page.type(b"seq 1 1000\r")
    page.wait("1000\n")
    while page.state["scrollback"] < 900:
        page.until(113)
    page.send(101, struct.pack(">IH", 11, 600))
    document = json.loads(page.until(115))
    equal((document["first"], len(document["rows"])), (11, 500))
    equal(document["rows"][-1]["text"], str(int(page.lines[0]["text"]) - 11))
    page.send(101, struct.pack(">IH", 100000, 10))
    equal(json.loads(page.until(115))["rows"], [])
    # Rows with many attributes are long; those that do not fit are the oldest.
    page.type(b"for i in $(seq 1 600); do for j in 1 2 3 4 5 6 7 8; do printf '\\033[3'$j'mab\\033[m-'; done; echo $i; done; echo en''d\r")
    page.wait("end")
    while page.state["scrollback"] < 1400:
        page.until(113)
    page.send(101, struct.pack(">IH", 1, 500))
    payload = page.until(115)
    document = json.loads(payload)
    assert len(payload) <= 64 << 10 and 10 < len(document["rows"]) < 500, (len(payload), len(document["rows"]))
    page.send(101, struct.pack(">IH", 1 + len(document["rows"]), 1))
    older = json.loads(page.until(115))["rows"][0]["text"].split("-")[-1]
    equal(int(older) + 1, int(document["rows"][0]["text"].split("-")[-1]))


def flood():
    """A page that does not acknowledge gets one screen, and others are not delayed."""
    slow = Page(port, token)
    slow.send(97, slow.key + b"shell")
    page = Page(port, token)
    page.watch("shell")
    page.until(113)
    before = page.state["number"]
    received = 0
    page.type(b"seq 1 200000; echo flood-$((1+1))\r")
    while "flood-2" not in page.text():
        payload = page.until(113)
        received += len(payload)
    assert received <= 64 << 10, received
    slow.socket.settimeout(0.5)
    kinds = []
    try:
        while True:
            kinds.append(slow.receive()[0])
    except TimeoutError:
        pass
    equal(kinds.count(113), 1)


def ended():
    page = Page(port, token)
    page.watch("short")
    page.until(113)
    page.type(b"exit 3\r")
    equal(page.until(39)[8:], b"\0\0\0\0\3")
    page.type(b"x")
    while (got := page.receive())[0] != 6:
        if got[0] == 113:
            page.paint(got[1])
    page = Page(port, token)
    page.watch("short")
    equal(page.until(39)[8:], b"\0\0\0\0\3")


def download(page, text):
    """Downloads the recording of a session, once it contains the text, and returns the head of the request."""
    answer = b""
    while text not in answer:
        page.send(103)
        path = json.loads(page.until(66))["path"]
        head = f"GET /{path} HTTP/1.1\r\nHost: {own}\r\n\r\n".encode()
        answer = request(port, head)
        assert b"200 OK" in answer.split(b"\r\n")[0] and b"Content-Disposition: attachment" in answer
    return head


def timeline():
    """The screens of a session at earlier times, and the recording as a download."""
    page = Page(port, token)
    page.watch("shell")
    page.type(b"PS1=; echo first\r")
    page.wait("first\n")
    page.type(b"clear; echo second-$((1+1))\r")
    page.wait("second-2")
    # The recording may lag behind the screen.
    download(page, b"second-2")
    page.send(102, struct.pack(">Q", 0))
    rows = page.paint(page.until_rows())
    assert rows["time"] == 0 and "second-2" not in page.text(), rows
    seen = 0
    while "first" not in page.text().split("\n"):
        page.send(102, struct.pack(">QB", round(page.state["time"] * 1e6), 1))
        page.paint(page.until_rows())
        seen += 1
    assert 0 < seen < 100
    page.send(102, struct.pack(">Q", 10 ** 12))
    page.paint(page.until_rows())
    assert "second-2" in page.text() and page.state["time"] > 0
    page.send(102, b"\xff" * 8)
    page.paint(page.until_rows())
    assert "time" not in page.state and page.state["full"]
    page.type(b"echo third-$((1+2))\r")
    page.wait("third-3")
    # A ticket is valid once, and no longer than its link.
    equal(request(port, download(page, b"third-3")).split()[1], b"404")
    other = Page(port, share("shell"))
    other.watch("shell")
    other.send(103)
    path = json.loads(other.until(66))["path"]
    vt("share", "--revoke", json.loads(vt("share", "--list", "--json"))[-1]["link"])
    equal(status(f"Host: {own}", path=f"/{path}"), 404)


def revoked_download():
    """Revoking a link, and its end, interrupt a download that is running."""
    vt("sessions", "wait", "long", "--match", "ready", "--from", "0")
    for words in [[], ["--expires", "15s"]]:
        page = Page(port, share("long", *words))
        page.watch("long")
        page.send(103)
        path = json.loads(page.until(66))["path"]
        with socket.socket() as peer:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            peer.settimeout(20)
            peer.connect(("127.0.0.1", port))
            peer.sendall(f"GET /{path} HTTP/1.1\r\nHost: {own}\r\n\r\n".encode())
            assert peer.recv(12) == b"HTTP/1.1 200"
            if not words:
                vt("share", "--revoke", json.loads(vt("share", "--list", "--json"))[-1]["link"])
            equal(page.closing(), 4401 if words else 4403)
            # What the page has not read by then does not follow.
            time.sleep(2)
            answer = b""
            with contextlib.suppress(ConnectionResetError):
                while part := peer.recv(65536):
                    answer += part
            assert not answer.endswith(b"\r\n0\r\n\r\n") and len(answer) < 8_000_000, len(answer)


def refused():
    """More refused pages than a pipe holds events of; then a page is served."""
    for _ in range(1500):
        Page(port, "0" * 32).closing()
    page = Page(port, token)
    page.watch("shell")
    page.type(b"echo $((40 + 2))\r")
    page.wait("42")


def recording():
    page = Page(port, token)
    entries = json.loads(page.until(114))
    equal([(entry["session"], entry["kind"], entry["duration"]) for entry in entries], [("demo.cast", "recording", 2)])
    equal(page.watch("demo.cast")["duration"], 2)
    page.until(113)
    equal((page.state["time"], page.text().strip()), (0, ""))
    page.send(102, struct.pack(">Q", 1_000_000))
    page.until(113)
    equal((page.state["time"], page.text().split()), (1, ["one"]))
    page.send(102, struct.pack(">QB", 1_000_000, 2))
    page.until(113)
    equal((page.state["time"], page.text().split()), (1.5, ["one"]))
    page.send(102, struct.pack(">QB", 1_500_000, 1))
    page.until(113)
    equal((page.state["time"], page.text().split(), page.state["size"]["columns"]), (2, ["onetwo"], 100))
    page.type(b"x")
    equal(failure(page.until(6))[0], "usage")
    page.send(103)
    path = json.loads(page.until(66))["path"]
    answer = request(port, f"GET /{path} HTTP/1.1\r\nHost: {own}\r\n\r\n".encode())
    assert b'[0.5,"m","mark"]' in answer, answer


def tls():
    """The connection is encrypted; the last argument is the certificate."""
    page = Page(port, token, extra=[f"Origin: https://{own}"], authority=sys.argv[5])
    page.watch("shell")
    page.type(b"echo $((6*7))\r")
    page.wait("42")
    equal(Page(port, token, extra=[f"Origin: http://{own}"], authority=sys.argv[5]).status, 403)
    # A request that is not encrypted.
    equal(request(port, f"GET / HTTP/1.1\r\nHost: {own}\r\n\r\n".encode()).split()[1], b"400")

    def connects(version, ciphers):
        context = ssl.create_default_context(cafile=sys.argv[5])
        context.minimum_version = context.maximum_version = version
        if ciphers:
            context.set_ciphers(ciphers)
        try:
            with socket.create_connection(("127.0.0.1", port)) as peer:
                return context.wrap_socket(peer, server_hostname="127.0.0.1").version()
        except (ssl.SSLError, ConnectionError):
            return None

    equal(connects(ssl.TLSVersion.TLSv1_3, None), "TLSv1.3")
    for ciphers in ["ECDHE+AESGCM", "ECDHE+CHACHA20"]:
        equal(connects(ssl.TLSVersion.TLSv1_2, ciphers), "TLSv1.2")
    for ciphers in ["ECDHE+AES128:!AESGCM:!AESCCM:!CHACHA20:@SECLEVEL=0"]:
        equal(connects(ssl.TLSVersion.TLSv1_2, ciphers), None)


globals()[case]()
print("ok")

"""A page without a browser: a WebSocket client of 'vt serve' that uses only the standard library."""
import json, os, socket, ssl, struct


class Closed(Exception):
    def __init__(self, code):
        super().__init__(f"closed with {code}")
        self.code = code


def request(port, head, timeout=30):
    """Sends bytes, and returns the whole answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as peer:
        peer.sendall(head)
        parts = []
        try:
            while part := peer.recv(65536):
                parts.append(part)
        except ConnectionResetError:
            pass
        return b"".join(parts)


class Socket:
    """A WebSocket."""

    def __init__(self, port, path="/ws", protocol="vt.1", extra=(), host=None, authority=None, buffer=None):
        self.socket = socket.socket()
        self.socket.settimeout(30)
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect(("127.0.0.1", port))
        if authority:
            context = ssl.create_default_context(cafile=authority)
            self.socket = context.wrap_socket(self.socket, server_hostname="127.0.0.1")
        self.rest = b""
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Upgrade: websocket",
                 "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
                 *([f"Sec-WebSocket-Protocol: {protocol}"] if protocol else []), *extra]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.rest:
            part = self.socket.recv(4096)
            if not part:
                raise ConnectionError(self.rest)
            self.rest += part
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        self.head = head.decode()
        self.status = int(self.head.split()[1])

    def raw(self, opcode, payload=b"", fin=True, mask=True, reserved=0):
        first = (0x80 if fin else 0) | reserved << 4 | opcode
        size = len(payload)
        flag = 0x80 if mask else 0
        head = bytes([first]) + (bytes([flag | size]) if size < 126 else
                                 bytes([flag | 126]) + struct.pack(">H", size) if size < 65536 else
                                 bytes([flag | 127]) + struct.pack(">Q", size))
        key = b"\x11\x22\x33\x44"
        if mask:
            head += key
            payload = bytes(byte ^ key[index & 3] for index, byte in enumerate(payload))
        self.socket.sendall(head + payload)

    def exactly(self, count):
        while len(self.rest) < count:
            part = self.socket.recv(65536)
            if not part:
                raise Closed(1006)
            self.rest += part
        result, self.rest = self.rest[:count], self.rest[count:]
        return result

    def message(self):
        """Returns the opcode and the payload of the next message; answers pings."""
        while True:
            first, size = self.exactly(2)
            if size == 126:
                size = struct.unpack(">H", self.exactly(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.exactly(8))[0]
            payload = self.exactly(size)
            opcode = first & 15
            if opcode == 8:
                raise Closed(struct.unpack(">H", payload[:2])[0] if payload else 1005)
            if opcode == 9:
                self.raw(10, payload)
            if opcode in (1, 2):
                return opcode, payload

    def closing(self):
        """Reads until the server closes the connection, and returns the code."""
        try:
            while True:
                self.message()
        except Closed as error:
            return error.code
        except ConnectionResetError:
            return 1006

    def close(self):
        self.socket.close()


class Page(Socket):
    def __init__(self, port, token=None, extra=(), host=None, authority=None, buffer=None):
        super().__init__(port, extra=extra, host=host, authority=authority, buffer=buffer)
        self.lines = {}
        self.sequence = 0
        self.key = os.urandom(16)
        if self.status == 101 and token is not None:
            self.send(96, token.encode())

    def send(self, kind, payload=b""):
        self.raw(2, struct.pack(">IB", len(payload) + 1, kind) + payload)

    def receive(self):
        """Returns the kind and payload of the next frame."""
        opcode, payload = self.message()
        assert opcode == 2
        length, kind = struct.unpack(">IB", payload[:5])
        assert length == len(payload) - 4
        return kind, payload[5:]

    def until(self, kind):
        """Returns the payload of the next frame of a kind; paints rows that come before."""
        while True:
            got, payload = self.receive()
            if got == 113:
                self.paint(payload)
            if got == kind:
                return payload
            if got == 6 and kind != 6:
                raise RuntimeError(payload)

    def until_rows(self):
        """Returns the payload of the next rows, without painting them."""
        while True:
            kind, payload = self.receive()
            if kind == 113:
                return payload

    def paint(self, payload):
        rows = json.loads(payload)
        if rows["full"]:
            self.lines = {}
        for row in rows["rows"]:
            self.lines[row["at"]] = row
        self.state = rows
        self.send(98, struct.pack(">Q", rows["number"]))
        return rows

    def watch(self, name):
        self.send(97, self.key + name.encode())
        payload = self.until(116)
        self.answered = struct.unpack(">Q", payload[:8])[0]
        return json.loads(payload[8:])

    def text(self):
        return "\n".join(self.lines[index]["text"] for index in sorted(self.lines))

    def wait(self, text):
        """Paints rows until the screen contains the text."""
        while text not in self.text():
            self.until(113)

    def number(self):
        self.sequence += 1
        return struct.pack(">Q", self.sequence)

    def type(self, data):
        self.send(17, self.number() + b"\0" + data)

    def press(self, key):
        self.send(99, self.number() + key.encode())

    def paste(self, data):
        self.send(100, self.number() + data)

    def accepted(self):
        return struct.unpack(">Q", self.until(36)[:8])[0]


def failure(payload):
    """The code and message of a failure."""
    texts = []
    for _ in range(2):
        size = struct.unpack(">I", payload[:4])[0]
        texts.append(payload[4:4 + size].decode())
        payload = payload[4 + size:]
    return texts

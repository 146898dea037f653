"""A WebSocket server that sends pings and reads no answers: prints its port, and, for each
connection, 'full' when nothing more can be sent, or 'closed'."""
import base64, hashlib, re, socket

server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    peer, _ = server.accept()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    head = b""
    while b"\r\n\r\n" not in head:
        head += peer.recv(4096)
    key = re.search(rb"(?i)sec-websocket-key: *(\S+)", head)[1]
    accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    peer.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 b"Sec-WebSocket-Accept: " + accept + b"\r\nSec-WebSocket-Protocol: vt.1\r\n\r\n")
    pings = (b"\x89\x7d" + b"x" * 125) * 500
    peer.settimeout(3)
    try:
        while True:
            peer.sendall(pings)
    except TimeoutError:
        print("full", flush=True)
    except OSError:
        print("closed", flush=True)
    peer.settimeout(None)

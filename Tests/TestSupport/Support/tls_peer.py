"""Peers of vt with TLS, by Python's module ssl: server CERTIFICATE KEY, or client PORT CERTIFICATE."""

import hashlib
import socket
import ssl
import sys
import threading

CHUNK = bytes(range(256)) * 256


def answer(connection, name):
    """Answers a request as its path says."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += connection.recv(1)
    path = head.split()[1].decode()
    start = b"HTTP/1.1 200 OK\r\n"
    if path == "/facts":
        facts = f"{name} {connection.selected_alpn_protocol()} {connection.version()}".encode()
        connection.sendall(start + b"Content-Length: %d\r\n\r\n" % len(facts) + facts)
    elif path.startswith("/send/"):
        # Without a length, only the end mark of TLS shows that the answer is complete.
        connection.sendall(start + b"\r\n")
        for _ in range(int(path.split("/")[2]) // len(CHUNK)):
            connection.sendall(CHUNK)
    elif path == "/receive":
        length = int(head.lower().split(b"content-length: ")[1].split()[0])
        digest = hashlib.sha256()
        while length:
            data = connection.recv(1 << 16)
            length -= len(data)
            digest.update(data)
        text = digest.hexdigest().encode()
        connection.sendall(start + b"Content-Length: %d\r\n\r\n" % len(text) + text)
    if path.endswith("/cut"):
        connection.close()
    else:
        connection.unwrap()


def serve(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2", "http/1.1"])
    names = {}
    context.sni_callback = lambda connection, name, _: names.update({connection: name})
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def handle(peer):
        try:
            connection = context.wrap_socket(peer, server_side=True)
            answer(connection, names.get(connection))
        except OSError:
            peer.close()

    while True:
        threading.Thread(target=handle, args=[listener.accept()[0]], daemon=True).start()


def half_close(port, certificate):
    """Ends its direction, and prints what arrives afterward, and how the connection ends."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context(cafile=certificate)
    session = context.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    peer = socket.create_connection(("127.0.0.1", port))

    def perform(call):
        while True:
            try:
                return call()
            except ssl.SSLWantReadError:
                peer.sendall(outgoing.read())
                data = peer.recv(1 << 16)
                if not data:
                    return "cut"
                incoming.write(data)
            finally:
                peer.sendall(outgoing.read())

    perform(session.do_handshake)
    perform(lambda: session.write(b"question"))
    try:
        session.unwrap()
    except ssl.SSLWantReadError:
        peer.sendall(outgoing.read())
    try:
        while (data := perform(lambda: session.read(1 << 16))) != "cut":
            print(data.decode(), flush=True)
        print(data)
    except ssl.SSLZeroReturnError:
        print("end")


if sys.argv[1] == "server":
    serve(*sys.argv[2:])
else:
    half_close(int(sys.argv[2]), sys.argv[3])

"""An SSH agent for tests (draft-miller-ssh-agent) that never signs as requested.

Arguments: the path of the socket, the response to signature requests ("refuse", or "sha1": a signature with an
algorithm other than the requested one), and the paths of the public keys to list. With "hang" as the response, the
agent does not even read requests; with "drip", each reply takes minutes.
"""

import base64
import os
import socket
import struct
import sys
import threading
import time


def string(data):
    return struct.pack(">I", len(data)) + data


def read(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def serve(connection, answer, keys):
    try:
        while answer == "hang":
            time.sleep(1000)
        while answer == "drip":
            for byte in struct.pack(">I", 100000) + bytes(100000):
                connection.sendall(bytes([byte]))
                time.sleep(0.01)
        while True:
            request = read(connection, struct.unpack(">I", read(connection, 4))[0])
            if request[0] == 11:
                reply = b"\x0c" + struct.pack(">I", len(keys)) + b"".join(string(k) + string(c) for k, c in keys)
            elif answer == "sha1":
                reply = b"\x0e" + string(string(b"ssh-rsa") + string(b"x" * 256))
            else:
                reply = b"\x05"
            connection.sendall(string(reply))
    except (EOFError, OSError):
        connection.close()


def main():
    path, answer, *files = sys.argv[1:]
    keys = []
    for file in files:
        with open(file) as lines:
            kind, blob, comment = lines.read().split(None, 2)
            keys.append((base64.b64decode(blob), comment.strip().encode()))
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path + ".new")
    listener.listen()
    os.rename(path + ".new", path)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, answer, keys), daemon=True).start()


main()

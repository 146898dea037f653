"""An SFTP subsystem that stops following the protocol: hostile_sftp.py MODE [COUNT].

The contents of every file are zeros, and every path is a directory if its name is "d", and a file otherwise.

MODE is "bad" (after COUNT replies, each reply is followed by an invalid packet in the same write), "silent" (no
replies after COUNT ones), "mute" (no replies to requests of type COUNT), "empty" (directory listings consist of replies without names for ever) or "blank" (no
attributes are reported).
"""
import os
import struct
import sys
import time

mode, count = sys.argv[1], int(sys.argv[2])
stdin, sizes = sys.stdin.buffer, 1 << 20


def string(data):
    return struct.pack(">I", len(data)) + data


def packet(kind, fields):
    return string(bytes([kind]) + fields)


def attributes(is_directory):
    if mode == "blank":
        return struct.pack(">I", 0)
    return struct.pack(">IQI", 5, sizes, 0o040755 if is_directory else 0o100644)


def status(code):
    return 101, struct.pack(">I", code) + string(b"") + string(b"")


def reply(kind, fields):
    size = struct.unpack(">I", fields[:4])[0] if len(fields) >= 4 else 0
    name = fields[4:4 + size]
    if kind in (7, 17):
        return (105, attributes(True)) if name.endswith(b"d") else (105, attributes(False))
    if kind == 8:
        return 105, attributes(name == b"d")
    if kind == 3:
        return 102, string(b"f")
    if kind == 11:
        return 102, string(b"d")
    if kind == 12 and mode == "empty":
        return 104, struct.pack(">I", 0)
    if kind == 12:
        return 104, struct.pack(">I", 1) + string(os.urandom(4).hex().encode()) + string(b"") + attributes(False)
    if kind == 16:
        return 104, struct.pack(">I", 1) + string(b"/d") + string(b"") + attributes(True)
    if kind == 5:
        offset, length = struct.unpack(">QI", fields[4 + size:])
        if offset >= sizes:
            return status(1)
        return 103, string(bytes(min(length, sizes - offset)))
    return status(0)


replies = 0
while header := stdin.read(4):
    data = stdin.read(struct.unpack(">I", header)[0])
    if data[0] == 1:
        answer = packet(2, struct.pack(">I", 3))
    else:
        kind, fields = reply(data[0], data[5:])
        answer = packet(kind, data[1:5] + fields)
    if mode == "silent" and replies >= count or mode == "mute" and data[0] == count:
        continue
    if mode == "bad" and replies >= count:
        answer += b"\xff" * 8
    replies += 1
    os.write(1, answer)

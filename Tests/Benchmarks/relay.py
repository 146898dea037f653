"""A TCP relay on loopback that delays every byte: relay.py SERVER_PORT DELAY_MS.

Prints its port. A single thread with large buffers forwards several hundred MB/s.
"""

import collections
import selectors
import socket
import sys
import time

CHUNK = 1 << 20
# More than the data in flight on a 1 GB/s link during the delay.
QUEUE_LIMIT = 64 << 20


class Direction:
    """Data in transit from one socket to another, each piece with the time when it is due."""

    def __init__(self, source, sink, delay):
        self.source, self.sink, self.delay = source, sink, delay
        self.pieces = collections.deque()
        self.size = 0
        self.ended = False
        self.closed = False
        self.blocked = False

    def receive(self):
        while self.size < QUEUE_LIMIT and not self.ended:
            try:
                data = self.source.recv(CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            self.ended = not data
            self.pieces.append((time.monotonic() + self.delay, memoryview(data)))
            self.size += len(data)

    def send(self):
        """Send pieces that are due; return when the next piece is due, or None."""
        self.blocked = False
        while self.pieces:
            due, data = self.pieces[0]
            if due > time.monotonic():
                return due
            if not data:
                self.pieces.popleft()
                self.closed = True
                try:
                    self.sink.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                return None
            try:
                count = self.sink.send(data)
            except BlockingIOError:
                self.blocked = True
                return None
            except OSError:
                self.closed = True
                self.pieces.clear()
                return None
            self.size -= count
            if count < len(data):
                self.pieces[0] = (due, data[count:])
            else:
                self.pieces.popleft()
        return None


class Relay:
    def __init__(self, server_port, delay):
        self.server_port, self.delay = server_port, delay
        self.selector = selectors.DefaultSelector()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.pairs = []

    def accept(self):
        client, _ = self.listener.accept()
        server = socket.create_connection(("127.0.0.1", self.server_port))
        for end in (client, server):
            end.setblocking(False)
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(end, selectors.EVENT_READ)
        self.pairs.append((Direction(client, server, self.delay), Direction(server, client, self.delay)))

    def step(self):
        """Forward all data that is ready; return the seconds until the next piece is due, or None."""
        next_due = None
        for pair in list(self.pairs):
            for way in pair:
                way.receive()
                due = way.send()
                if due is not None:
                    next_due = due if next_due is None else min(due, next_due)
            for way, back in (pair, pair[::-1]):
                self.watch(way.source, reads=not way.ended and way.size < QUEUE_LIMIT, writes=back.blocked)
            if all(way.closed for way in pair):
                self.pairs.remove(pair)
                for way in pair:
                    way.source.close()
        return None if next_due is None else max(0, next_due - time.monotonic())

    def watch(self, end, reads, writes):
        events = (selectors.EVENT_READ if reads else 0) | (selectors.EVENT_WRITE if writes else 0)
        watched = self.selector.get_map().get(end)
        if watched and not events:
            self.selector.unregister(end)
        elif watched and watched.events != events:
            self.selector.modify(end, events)
        elif not watched and events:
            self.selector.register(end, events)

    def run(self):
        print(self.listener.getsockname()[1], flush=True)
        timeout = None
        while True:
            for key, _ in self.selector.select(timeout):
                if key.fileobj is self.listener:
                    self.accept()
            timeout = self.step()


if __name__ == "__main__":
    Relay(int(sys.argv[1]), float(sys.argv[2]) / 1000).run()

"""The benchmarks of sessions in a browser: what `vt serve` and its page cost."""

import asyncio
import contextlib
import os
import pathlib
import re
import statistics
import subprocess
import sys
import threading
import time

from sessions import VT, SessionCase

sys.path.append(str(pathlib.Path(__file__).parent.parent / "TestSupport" / "Support"))

from chromium import chromium  # noqa: E402
from page_client import Closed, Page  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A `vt serve` for the sessions of the benchmarks."""

    def __init__(self, fixture):
        self.process = subprocess.Popen(
            [fixture.vt, "serve", "--listen", "127.0.0.1:0"], env=fixture.environment, stdout=subprocess.PIPE, text=True
        )
        self.link = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.port = int(re.search(r":(\d+)/", self.link)[1])
        self.token = self.link.split("#k=")[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def page(self, name=None):
        page = Page(self.port, self.token)
        if name:
            page.watch(name)
            page.until(113)
        return page

    def cpu_ms(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / TICKS

    def memory_kib(self, field="VmRSS"):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+)", status)[1])


@contextlib.contextmanager
def session(fixture, name, *command):
    vt = VT(fixture.scratch, fixture.environment, fixture.vt)
    vt.create(name, *command)
    try:
        yield vt
    finally:
        vt.kill(name)


def key(fixture, short):
    """Measure the time from a key in Chromium until the frame that shows its echo has been painted."""
    script = """
        window.times = [];
        addEventListener('keydown', () => { window.pressed = performance.now() }, true);
        new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
            if (window.pressed) { times.push(performance.now() - window.pressed); window.pressed = 0 }
        }))).observe(document.querySelector('#lines'), { childList: true, subtree: true, characterData: true })
    """

    async def measure(link):
        async with chromium() as browser:
            page = await browser.page(link)
            await page.until("!document.querySelector('#list').hidden")
            await page.run("location.hash = '#/key'")
            await page.until("session.isWatched && session.update !== null")
            await page.click("#screen")
            await page.run(script)
            count = 5 if short else 100
            for number in range(count):
                await page.key("x")
                await page.until(f"times.length > {number}")
                # Without a pause, the limit of 30 screens in a second would be measured.
                await asyncio.sleep(0.05)
            return await page.run("times")

    with session(fixture, "key", "cat"), Server(fixture) as server:
        return {"vt": statistics.median(asyncio.run(measure(server.link)))}


def flood(fixture, short):
    """Measure the bytes that a page receives while a program prints 1.3 MB."""
    with session(fixture, "flood", "sh", "-c", "read line; seq 1 200000; echo done; cat") as vt, Server(fixture) as server:
        page = server.page("flood")
        received = 0
        vt.call(fixture.vt, "sessions", "send", "flood", "--enter")
        while "done" not in page.text():
            kind, payload = page.receive()
            received += len(payload) + 9
            if kind == 113:
                page.paint(payload)
        return {"vt": received / 1024}


def paint_until_closed(page):
    with contextlib.suppress(Closed, OSError):
        while True:
            page.until(115)


def many(program):
    """Measure the CPU time of the server with 32 pages, compared with one page, while a program prints."""

    def measure(fixture, short):
        words = ["sh", "-c", f"read line; {program(short)}; echo done; cat"]

        def cost(count):
            with session(fixture, "many", *words) as vt, Server(fixture) as server:
                pages = [server.page("many") for _ in range(count)]
                threads = [threading.Thread(target=paint_until_closed, args=[page]) for page in pages[1:]]
                for thread in threads:
                    thread.start()
                before = server.cpu_ms()
                vt.call(fixture.vt, "sessions", "send", "many", "--enter")
                pages[0].wait("done")
                spent = server.cpu_ms() - before
            for thread in threads:
                thread.join()
            return spent

        one, all_pages = cost(1), cost(32)
        return {"vt": all_pages / max(one, 1000 / TICKS)}

    return measure


def fast(short):
    return f"yes {'x' * 60} | head -c {2_000_000 if short else 100_000_000}"


def slow(short):
    return f"for n in $(seq 1 {20 if short else 500}); do echo $n; sleep 0.02; done"


def idle(fixture, short):
    """Measure the CPU use of the server with 10 pages that show an idle session, in percent of one CPU."""
    with session(fixture, "idle", "cat"), Server(fixture) as server:
        pages = [server.page("idle") for _ in range(10)]
        before, started = server.cpu_ms(), time.perf_counter()
        time.sleep(1 if short else 60)
        percent = (server.cpu_ms() - before) / (time.perf_counter() - started) / 10
        for page in pages:
            page.close()
        return {"vt": percent}


def resident(fixture, short):
    """Measure the memory of a server that has just started."""
    with Server(fixture) as server:
        return {"vt": server.memory_kib() / 1024}


def stalled(fixture, short):
    """Measure the memory that the server needs in addition for a page that never reads."""
    program = f"while read line; do {fast(short)}; echo; echo done$line; done"
    with session(fixture, "stalled", "sh", "-c", program) as vt, Server(fixture) as server:
        page, reader = server.page("stalled"), None

        def run(number):
            started = time.perf_counter()
            vt.call(fixture.vt, "sessions", "send", "stalled", str(number), "--enter")
            page.wait(f"done{number}")
            return time.perf_counter() - started

        run(0)
        before, alone = server.memory_kib(), statistics.median(run(number) for number in range(1, 4))
        stalled_page = server.page("stalled")
        slowed = statistics.median(run(number) for number in range(4, 7))
        grown = server.memory_kib() - before
        stalled_page.close()
        return {"vt": grown / 1024, "slowdown_percent": (slowed / alone - 1) * 100}


CASES = [
    SessionCase("page-key", "the time from a key in Chromium to its painted echo", "ms", key, "25 ms"),
    SessionCase("page-flood", "seq 1 200000: what a page receives", "KiB", flood, "64 KiB"),
    SessionCase("page-32", "CPU time of 'vt serve' for 100 MB with 32 pages, against one", "ratio", many(fast), "2"),
    SessionCase("page-32-slow", "the same for a line each 20 ms, a screen of its own", "ratio", many(slow), "-"),
    SessionCase("page-idle", "CPU use of 'vt serve' with 10 idle pages", "% CPU", idle, "0.1 %"),
    SessionCase("page-memory", "resident memory of 'vt serve'", "MiB", resident, "25 MiB"),
    SessionCase("page-stalled", "additional memory for a page that never reads", "MiB", stalled, "1 MiB, 5 % slower"),
]

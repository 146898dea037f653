"""Sessions, and servers with pages for them. The first argument of the program is the path of vt."""

import asyncio
import contextlib
import json
import os
import re
import socket
import sys

VT = sys.argv[1]
HOME = os.environ["HOME"]
# Shows each byte of the input, as ^A or M-a.
ECHO = ["sh", "-c", "stty raw -echo; printf ready; exec cat -vT"]


async def vt(*words):
    process = await asyncio.create_subprocess_exec(VT, *words, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    assert process.returncode == 0, words
    return output.decode()


async def create(name, *command, size="80x24"):
    await vt("sessions", "create", name, "--size", size, "--", *command)


async def screen(name):
    return json.loads(await vt("sessions", "screen", name, "--json"))


@contextlib.asynccontextmanager
async def serving(*words, listen="127.0.0.1:0"):
    """Runs `vt serve`, and yields the owner's link."""
    process = await asyncio.create_subprocess_exec(
        VT, "serve", "--listen", listen, *words, stdout=asyncio.subprocess.PIPE
    )
    try:
        output = b""
        while not (match := re.search(rb"https?://\S+#k=[\w-]+(?=\s)", output)):
            line = await process.stdout.readline()
            assert line, output
            output += line
        yield match[0].decode()
    finally:
        process.terminate()
        await process.communicate()


async def share(*words):
    return re.search(r"https?://\S+#k=[\w-]+", await vt("share", *words))[0]


class Relay:
    """Relays connections to a server, and cuts them."""

    def __init__(self, port):
        self.port = port
        self.writers = set()
        self.is_blocked = False

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port_of_clients = self.server.sockets[0].getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port_of_clients}"
        return self

    async def __aexit__(self, *_):
        self.server.close()
        self.cut()

    def cut(self):
        for writer in list(self.writers):
            writer.transport.abort()

    async def accept(self, reader, writer):
        if self.is_blocked:
            return writer.transport.abort()
        with contextlib.suppress(OSError):
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self.port)
            self.writers |= {writer, other_writer}
            await asyncio.gather(self.copy(reader, other_writer), self.copy(other_reader, writer))
            self.writers -= {writer, other_writer}

    async def copy(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.transport.abort()


@contextlib.asynccontextmanager
async def serving_through_relay():
    """Yields the owner's link, through a relay, and the relay."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    async with Relay(port) as relay, serving("--origin", relay.origin, listen=f"127.0.0.1:{port}") as link:
        yield link, relay


async def opened(browser, link, name=None, **options):
    page = await browser.page(link, **options)
    await page.until("!document.querySelector('#list').hidden || !document.querySelector('#session').hidden")
    if name:
        await page.run(f"location.hash = '#/{name}'")
        await page.until("session.isWatched && session.update !== null")
        if await page.run("isWritable()"):
            await page.click("#screen")
    return page


async def log(name):
    return await vt("sessions", "logs", name)

"""An SSH server for tests that checks passwords and keyboard-interactive responses without root privileges.

Its one argument is a JSON object:
  port           the port on 127.0.0.1 to listen on
  host_keys      paths of private keys
  steps          list of lists of methods: one method of each list must succeed, in this order
  user, password the accepted credentials; keyboard-interactive prompts for the password
  second_question
                 asked by keyboard-interactive after the right password, or absent; the answer is "123456"
  authorized     path of an authorized_keys file
  banner         text sent before authentication, or absent
  ending         "status" (default): channels end with an exit status; "none": channels are closed without one;
                 "hangup": the connection is closed right after the channel; "flood": requests are sent endlessly, and
                 replies are not read; "banners": banners are sent endlessly; "strange": extended data of an unknown
                 type is sent first; "mute": requests to open a channel are not answered
  channels       "any" (default); with another value, a second channel of a connection is refused ("refuse"), ends the
                 connection ("end"), ends it with the next program or after a second ("end-late") or is not answered
                 ("ignore"), also after the first has been closed if the value ends with " ever"
  files          whether SFTP is available
  signals        "ignore" (default), or "deliver": to the process group of the command
  version        what follows "SSH-2.0-" in the server's identification, or absent
  algorithms     further options of asyncssh.listen, such as kex_algs
"""

import asyncio
import json
import os
import signal
import sys

import asyncssh
from asyncssh.packet import Boolean, String, UInt32


class Server(asyncssh.SSHServer):
    def __init__(self, options):
        self.options = options
        self.done = 0
        self.channels = 0

    def connection_made(self, connection):
        self.connection = connection
        connection.fixture = self

    def begin_auth(self, username):
        if self.options.get("banner"):
            self.connection.send_auth_banner(self.options["banner"])
        if self.options.get("ending") == "banners":
            self.banners = asyncio.create_task(self.send_banners())
        return True

    async def send_banners(self):
        transport = self.connection._transport
        while not transport.is_closing():
            self.connection.send_auth_banner("x" * 100)
            while transport.get_write_buffer_size() > 0 and not transport.is_closing():
                await asyncio.sleep(0)

    def offers(self, method):
        return method in self.options["steps"][self.done]

    def public_key_auth_supported(self):
        return self.offers("publickey")

    def validate_public_key(self, username, key):
        with open(self.options["authorized"]) as lines:
            known = [asyncssh.import_public_key(line) for line in lines]
        return username == self.options["user"] and key in known

    def password_auth_supported(self):
        return self.offers("password")

    def validate_password(self, username, password):
        return (username, password) == (self.options["user"], self.options["password"])

    def kbdint_auth_supported(self):
        return self.offers("keyboard-interactive")

    def get_kbdint_challenge(self, username, language, submethods):
        return "Sign in", "Answer the question.", "en", [("Password: ", False)]

    def validate_kbdint_response(self, username, responses):
        question = self.options.get("second_question")
        if question and list(responses) == ["123456"]:
            return True
        if (username, list(responses)) != (self.options["user"], [self.options["password"]]):
            return False
        return ("", "", "", [(question, False)]) if question else True

    def connection_requested(self, dest_host, dest_port, orig_host, orig_port):
        return True


def support_steps():
    """Turn the success of any step but the last into a partial success (RFC 4252 section 5.1), which asyncssh lacks."""
    connection_class = asyncssh.connection.SSHServerConnection
    succeed = connection_class.send_userauth_success

    async def send_userauth_success(self):
        server = self.fixture
        if server.done + 1 < len(server.options["steps"]):
            server.done += 1
            self.send_userauth_failure(True)
        else:
            await succeed(self)

    connection_class.send_userauth_success = send_userauth_success


def runner(options):
    async def run(process):
        print(f"command: {process.command}", file=sys.stderr, flush=True)
        words = ["/bin/sh"] + (["-c", process.command] if process.command else [])
        pipe = asyncio.subprocess.PIPE
        program = await asyncio.create_subprocess_exec(
            *words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
        process.group = program.pid
        connection = process.channel.get_connection()
        if options.get("ending") == "flood":
            await flood(connection)
        if options.get("ending") == "strange":
            process.channel.write(b"x" * (20 << 20), 7)
        # With `send_eof`, the end of one stream would also end the other, which might not be complete yet.
        await process.redirect(program.stdin, program.stdout, program.stderr, send_eof=False)
        status = await program.wait()
        await process.stdout.drain()
        await process.stderr.drain()
        if options.get("ending") == "none":
            process.close()
        elif status < 0:
            process.exit_with_signal({9: "KILL", 15: "TERM"}.get(-status, "HUP"))
        else:
            process.exit(status)
        if options.get("ending") == "hangup":
            transport = connection._transport
            while process.channel.get_write_buffer_size() or transport.get_write_buffer_size():
                await asyncio.sleep(0.001)
            transport.close()
            print("hung up", file=sys.stderr, flush=True)

    return run


def receive_signals(delivers):
    def signal_received(self, name):
        print(f"signal: {name}", file=sys.stderr, flush=True)
        if delivers:
            os.killpg(self.group, getattr(signal, f"SIG{name}"))

    asyncssh.process.SSHServerProcess.signal_received = signal_received


async def flood(connection):
    """Send requests that require replies, and do not read the replies."""
    transport = connection._transport
    transport.pause_reading()
    while not transport.is_closing():
        for _ in range(2000):
            connection.send_packet(80, String(b"keepalive@openssh.com"), Boolean(True))
        while transport.get_write_buffer_size() > 0 and not transport.is_closing():
            await asyncio.sleep(0.001)


def allow_strange_data():
    asyncssh.channel.SSHServerChannel._write_datatypes = {1, 7}
    asyncssh.channel._data_type_names[7] = "strange"


def ignore_channel_requests():
    connection_class = asyncssh.connection.SSHConnection
    open_message = 90
    connection_class._packet_handlers[open_message] = lambda *arguments: None


def limit_channels(rule):
    """Allow one channel at a time, or ever."""
    connection_class = asyncssh.connection.SSHServerConnection
    open_message, failure_message, resource_shortage = 90, 92, 4
    process = connection_class._packet_handlers[open_message]
    action, _, scope = rule.partition(" ")

    def process_open(self, kind, number, packet):
        is_first = not (self.fixture.channels if scope == "ever" else self._channels)
        self.fixture.channels += 1
        if is_first:
            return process(self, kind, number, packet)
        print("a second channel", file=sys.stderr, flush=True)
        if action == "end":
            self._transport.abort()
        elif action == "end-late":
            self.ends_at_program = True
            asyncio.get_running_loop().call_later(1, self._transport.abort)
        elif action == "refuse":
            packet.get_string()
            sender = packet.get_uint32()
            self.send_packet(failure_message, UInt32(sender), UInt32(resource_shortage), String("no"), String(""))

    def process_program(self, packet):
        if getattr(self._conn, "ends_at_program", False):
            self._conn._transport.abort()
            return False
        return start(self, packet)

    connection_class._packet_handlers = {**connection_class._packet_handlers, open_message: process_open}
    channel_class = asyncssh.channel.SSHServerChannel
    start = channel_class._process_exec_request
    channel_class._process_exec_request = process_program


async def main():
    options = json.loads(sys.argv[1])
    if options.get("channels", "any") != "any":
        limit_channels(options["channels"])
    if options.get("ending") == "strange":
        allow_strange_data()
    if options.get("ending") == "mute":
        ignore_channel_requests()
    receive_signals(options.get("signals") == "deliver")
    support_steps()
    server = await asyncssh.listen(
        "127.0.0.1",
        options["port"],
        server_factory=lambda: Server(options),
        server_host_keys=options["host_keys"],
        process_factory=runner(options),
        encoding=None,
        sftp_factory=options.get("files", False),
        server_version=options.get("version", ()),
        **options.get("algorithms", {}),
    )
    await server.wait_closed()


asyncio.run(main())

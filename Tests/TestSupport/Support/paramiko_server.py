"""An SSH server for tests based on the Python package paramiko: one user, public keys, commands without input.

Arguments: port on 127.0.0.1, path of the host key, user, path of an authorized_keys file.
"""

import socket
import subprocess
import sys
import threading

import paramiko


class Server(paramiko.ServerInterface):
    def __init__(self, user, keys):
        self.user = user
        self.keys = keys

    def get_allowed_auths(self, username):
        return "publickey"

    def check_auth_publickey(self, username, key):
        known = username == self.user and key.get_base64() in self.keys
        return paramiko.AUTH_SUCCESSFUL if known else paramiko.AUTH_FAILED

    def check_channel_request(self, kind, number):
        return paramiko.OPEN_SUCCEEDED

    def check_channel_exec_request(self, channel, command):
        threading.Thread(target=run, args=(channel, command), daemon=True).start()
        return True


def run(channel, command):
    result = subprocess.run(["/bin/sh", "-c", command.decode()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    channel.sendall(result.stdout)
    channel.send_exit_status(result.returncode)
    channel.close()


def main():
    port, host_key, user, authorized = sys.argv[1:]
    with open(authorized) as lines:
        keys = [line.split()[1] for line in lines]
    listener = socket.create_server(("127.0.0.1", int(port)))
    while True:
        connection, _ = listener.accept()
        transport = paramiko.Transport(connection)
        transport.add_server_key(paramiko.Ed25519Key.from_private_key_file(host_key))
        try:
            transport.start_server(event=threading.Event(), server=Server(user, keys))
        except (paramiko.SSHException, EOFError):
            transport.close()


main()

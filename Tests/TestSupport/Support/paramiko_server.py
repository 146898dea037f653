"""An SSH server for tests based on the Python package paramiko: one user, public keys, commands without input, SFTP.

Arguments: port on 127.0.0.1, path of the host key, user, path of an authorized_keys file.
"""

import os
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


def attempt(operation, *words):
    """Perform an operation, and return the status."""
    try:
        operation(*words)
    except OSError as error:
        return paramiko.SFTPServer.convert_errno(error.errno)
    return paramiko.SFTP_OK


class File(paramiko.SFTPHandle):
    def __init__(self, flags, path, stream):
        super().__init__(flags)
        self.path = path
        self.readfile = self.writefile = stream

    def stat(self):
        return paramiko.SFTPAttributes.from_stat(os.fstat(self.readfile.fileno()))

    def chattr(self, attributes):
        return attempt(paramiko.SFTPServer.set_file_attr, self.path, attributes)


class Files(paramiko.SFTPServerInterface):
    """The files of this machine, as in the examples of paramiko: a new file's mode is set if the client asks for it."""

    def list_folder(self, path):
        try:
            entries = []
            for name in os.listdir(path):
                attributes = paramiko.SFTPAttributes.from_stat(os.lstat(os.path.join(path, name)))
                attributes.filename = name
                entries.append(attributes)
            return entries
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno)

    def examine(self, function, path):
        try:
            return paramiko.SFTPAttributes.from_stat(function(path))
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno)

    def stat(self, path):
        return self.examine(os.stat, path)

    def lstat(self, path):
        return self.examine(os.lstat, path)

    def open(self, path, flags, attributes):
        try:
            descriptor = os.open(path, flags, 0o666)
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno)
        access = flags & (os.O_WRONLY | os.O_RDWR)
        mode = {0: "rb", os.O_WRONLY: "wb", os.O_RDWR: "r+b"}[access]
        return File(flags, path, os.fdopen(descriptor, mode))

    def remove(self, path):
        return attempt(os.remove, path)

    def rename(self, path, new_path):
        # The rule of SFTP version 3: an existing file is not replaced.
        if os.path.lexists(new_path):
            return paramiko.SFTP_FAILURE
        return attempt(os.rename, path, new_path)

    def mkdir(self, path, attributes):
        return attempt(os.mkdir, path)

    def rmdir(self, path):
        return attempt(os.rmdir, path)

    def chattr(self, path, attributes):
        return attempt(paramiko.SFTPServer.set_file_attr, path, attributes)

    def symlink(self, target, path):
        return attempt(os.symlink, target, path)

    def readlink(self, path):
        try:
            return os.readlink(path)
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno)


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
        transport.set_subsystem_handler("sftp", paramiko.SFTPServer, Files)
        transport.add_server_key(paramiko.Ed25519Key.from_private_key_file(host_key))
        try:
            transport.start_server(event=threading.Event(), server=Server(user, keys))
        except (paramiko.SSHException, EOFError):
            transport.close()


main()

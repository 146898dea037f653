"""Sets terminal modes, and prints what it reads.

Usage: key_reader.py [MODES], in which \\e is ESC. Prints "ready", and then, for each $ that it reads, a line with the
bytes before it in hexadecimal. "quit$" ends it.
"""

import os
import sys
import termios
import tty

modes = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, sys.argv[1].replace("\\e", "\x1b").encode() if len(sys.argv) > 1 else b"")
os.write(1, b"ready\r\n")
read = b""
lines = []
while b"quit" not in lines:
    read += os.read(0, 65536)
    *lines, read = read.split(b"$")
    for line in lines:
        os.write(1, b"got " + line.hex().encode() + b"\r\n")
termios.tcsetattr(0, termios.TCSADRAIN, modes)

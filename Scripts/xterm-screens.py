#!/usr/bin/env python3
"""Record xterm's screens for the inputs in Tests/TerminalTests/Fixtures/xterm-screens.json, and rewrite the file.

usage: xterm-screens.py [FILE]        requires xterm and Xvfb

Each case in FILE must have a 'name' and an 'input', a string with one code point for each byte.

Each cell is queried with DECRQCRA, which returns its code point if xterm's resource checksumExtension is 31.
"""
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import tty

ROWS, COLUMNS = 6, 20
DEFAULT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../Tests/TerminalTests/Fixtures/xterm-screens.json')
# Resets the state that a case may leave behind and that RIS does not reset.
FRESH = b'\x1b%@\x1b[?42l\x1b%G\x1bc\x1b[?1047h\x1b[2J\x1b[?1047l\x1b[?45l\x1b[?41l\x1b[?69l\x1b[!p\x1b[H\x1b[2J\x1b7\x1b[H'


def answers(pattern, count):
    data = b''
    while len(found := re.findall(pattern, data)) < count:
        if not select.select([0], [], [], 20)[0]:
            sys.exit('xterm did not reply within 20 seconds')
        data += os.read(0, 65536)
    return found


def show(case):
    os.write(1, FRESH + case['input'].encode('latin-1') + b'\x18\x1b[6n')
    row, column = answers(rb'\x1b\[(\d+);(\d+)R', 1)[0]
    os.write(1, b'\x1b[?6l')
    rows = []
    for y in range(1, ROWS + 1):
        os.write(1, b''.join(b'\x1b[%d;1;%d;%d;%d;%d*y' % (x, y, x, y, x) for x in range(1, COLUMNS + 1)))
        cells = [int(cell, 16) for cell in answers(rb'\x1bP\d+!~([0-9A-F]{4})\x1b', COLUMNS)]
        # 0 is a cell that was never written, 0xFFFF the right half of a wide character.
        rows.append(''.join(chr(cell or 32) for cell in cells if cell != 0xFFFF).rstrip(' '))
    while rows and not rows[-1]:
        rows.pop()
    return {'name': case['name'], 'input': case['input'], 'rows': rows, 'cursor': [int(row), int(column)]}


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else DEFAULT
    if len(sys.argv) > 2:
        tty.setraw(0)
        with open(path, encoding='utf-8') as file:
            cases = [show(case) for case in json.load(file)]
        with open(sys.argv[2], 'w', encoding='utf-8') as file:
            file.write('[\n' + ',\n'.join(json.dumps(case) for case in cases) + '\n]\n')
        return
    with tempfile.TemporaryDirectory() as directory:
        result = os.path.join(directory, 'screens')
        subprocess.run(
            ['xvfb-run', '-a', 'xterm', '-ti', '420', '-geometry', f'{COLUMNS}x{ROWS}',
             # Unlike -u8, this allows sequences to change the encoding.
             '-xrm', '*utf8: 1', '-xrm', '*allowWindowOps: true', '-xrm', '*checksumExtension: 31',
             '-e', sys.executable, os.path.abspath(__file__), os.path.abspath(path), result],
            env={**os.environ, 'LC_ALL': 'C.UTF-8'}, check=True)
        with open(result, encoding='utf-8') as new, open(path, 'w', encoding='utf-8') as file:
            file.write(new.read())


if __name__ == '__main__':
    main()

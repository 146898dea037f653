#!/usr/bin/env python3
"""Write Sources/Terminal/Unicode/UnicodeTables.swift from the Unicode data files of Debian's package unicode-data.

usage: unicode-tables.py [DIRECTORY [OUTPUT]]        DIRECTORY: /usr/share/unicode

Each code point below U+20000 gets a value of six bits: its kind (bits 0-2), whether U+FE0F makes it an emoji of two
cells (bit 3), and how many cells it takes (bits 4-5). The values stand in blocks of 128, equal blocks once, as
characters from '0' on; an index gives the block of each 128 code points in two such characters.

Cells: 2 for East Asian Wide and Fullwidth (UAX #11), its defaults for unassigned ideographs included, and for code
points that are reserved for emoji beside the newest ones; 0 for nonspacing and enclosing marks, format characters and
the vowels and final consonants of Hangul; else 1. Spacing marks and prefixed format characters take the cell that
wcwidth(3) gives them, so that programs and screen agree on where text ends.
"""
import os
import sys

OTHER, EXTEND, JOINER, REGIONAL, PICTOGRAPH = range(5)
END = 0x20000
BLOCK = 128
LINE = 112


def ranges(path):
    """Yield first, last, fields, whether it is a default, of a file of the Unicode Character Database."""
    for line in open(path, encoding='utf-8'):
        default = line.startswith('# @missing:')
        text = line[len('# @missing:'):] if default else line
        text = text.split('#')[0].strip()
        if not text:
            continue
        fields = [field.strip() for field in text.split(';')]
        first, _, last = fields[0].partition('..')
        if ' ' not in first:
            yield int(first, 16), int(last or first, 16), fields[1:], default


def property_of(path, value):
    points = set()
    for first, last, fields, default in ranges(path):
        if fields[0] == value and not default:
            points.update(range(first, min(last, END - 1) + 1))
    return points


def categories(path):
    result, start = {}, None
    for line in open(path, encoding='utf-8'):
        fields = line.split(';')
        point = int(fields[0], 16)
        if fields[1].endswith(', First>'):
            start = point
            continue
        for each in range(start if fields[1].endswith(', Last>') else point, point + 1):
            result[each] = fields[2]
    return result


def wide(path):
    points = set(range(0x3400, 0x4DC0)) | set(range(0x4E00, 0xA000)) | set(range(0xF900, 0xFB00))
    for first, last, fields, default in ranges(path):
        if not default:
            span = range(first, min(last, END - 1) + 1)
            points.update(span) if fields[0] in ('W', 'F') else points.difference_update(span)
    return points


def values(directory):
    def file(name):
        return os.path.join(directory, name)

    category = categories(file('UnicodeData.txt'))
    extend = property_of(file('auxiliary/GraphemeBreakProperty.txt'), 'Extend')
    prepended = property_of(file('auxiliary/GraphemeBreakProperty.txt'), 'Prepend')
    pictographs = property_of(file('emoji/emoji-data.txt'), 'Extended_Pictographic')
    modifiers = property_of(file('emoji/emoji-data.txt'), 'Emoji_Modifier')
    vowels = property_of(file('HangulSyllableType.txt'), 'V') | property_of(file('HangulSyllableType.txt'), 'T')
    wide_points = wide(file('EastAsianWidth.txt'))
    emoji = set()
    for line in open(file('emoji/emoji-variation-sequences.txt'), encoding='utf-8'):
        if ' FE0F ' in line.split(';')[0] + ' ':
            emoji.add(int(line.split()[0], 16))

    for point in range(END):
        kind = category.get(point, 'Cn')
        cells = 1
        reserved = kind == 'Cn' and point in pictographs and 0x1F900 <= point < 0x1FB00
        if point in wide_points or reserved:
            cells = 2
        elif (kind in ('Mn', 'Me', 'Cf', 'Zl', 'Zp') or point in vowels) and point not in prepended and point != 0xAD:
            cells = 0
        if point == 0x200D:
            role = JOINER
        elif cells == 0 or point in modifiers:
            role = EXTEND
        elif 0x1F1E6 <= point <= 0x1F1FF:
            role = REGIONAL
        elif point in pictographs:
            role = PICTOGRAPH
        else:
            role = OTHER
        yield role | (8 if point in emoji else 0) | cells << 4


def literal(name, comment, text):
    lines = [text[start:start + LINE] for start in range(0, len(text), LINE)]
    body = '\\#\n'.join('        ' + line for line in lines)
    return f'    /// {comment}\n    static let {name}: StaticString = #"""\n{body}\n        """#\n'


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else '/usr/share/unicode'
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    output = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, 'Sources/Terminal/Unicode/UnicodeTables.swift')
    text = ''.join(chr(0x30 + value) for value in values(directory))
    blocks, index = [], []
    for start in range(0, END, BLOCK):
        block = text[start:start + BLOCK]
        if block not in blocks:
            blocks.append(block)
        index.append(blocks.index(block))
    pairs = ''.join(chr(0x30 + (each >> 6)) + chr(0x30 + (each & 63)) for each in index)
    with open(output, 'w', encoding='utf-8') as file:
        file.write('// Written by Scripts/unicode-tables.py; its documentation says what the values mean.\n\n')
        file.write('/// The widths and kinds of the code points below U+20000, of Unicode 15.0.\n')
        file.write('enum UnicodeTables {\n')
        file.write(literal('index', 'The block of each 128 code points, in two digits of base 64.', pairs) + '\n')
        file.write(literal('blocks', 'The values of the code points, in blocks of 128.', ''.join(blocks)) + '}\n')
    print(len(blocks), 'blocks', file=sys.stderr)


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""Write Sources/Terminal/Unicode/UnicodeTables.swift from the Unicode Character Database as ICU has it (PyICU).

usage: unicode-tables.py [OUTPUT]        needs PyICU with ICU 76 (Unicode 16) or later; `make unicode` installs one

Each code point below U+20000 gets a value of six bits: its kind (bits 0-3), and how many cells it takes (bits 4-5).
The values stand in blocks of 128, equal blocks once, as characters from '0' on; an index gives the block of each 128
code points in two such characters.

Kinds follow the rules for extended grapheme clusters (UAX #29), but for the leading consonants of Hangul.

Cells: 0 for nonspacing and enclosing marks, format characters and the vowels and final consonants of Hangul, also where
East Asian Width has them wide, and for the spacing marks that belong to ideographs; 2 for East Asian Wide and Fullwidth
(UAX #11), and for code points that are reserved for emoji beside the newest ones; else 1. Other spacing marks and
prefixed format characters take the cell that wcwidth(3) gives them.
"""
import os
import sys

import icu

(OTHER, EXTEND, JOINER, REGIONAL, PICTOGRAPH, CONSONANT, LINKER, SPACING, PREPEND, OTHER_EMOJI,
 PICTOGRAPH_EMOJI) = range(11)
# General_Category, Grapheme_Cluster_Break, East_Asian_Width, Indic_Conjunct_Break and Hangul_Syllable_Type, as ICU
# numbers them (uchar.h).
UNASSIGNED, MN, ME, CF, ZL, ZP = 0, 6, 7, 16, 13, 14
GCB_EXTEND, GCB_SPACING, GCB_PREPEND = 3, 10, 11
FULLWIDTH, WIDE = 3, 5
INCB_CONSONANT, INCB_LINKER = 1, 3
VOWEL, TRAILING = 2, 3
# Marks of general category Mc that are written above or beside one ideograph or syllable: tones and readings.
IDEOGRAPHIC_MARKS = {0x302E, 0x302F, 0x16FF0, 0x16FF1}
END = 0x20000
BLOCK = 128
LINE = 112


def value(point):
    def number(name):
        return icu.Char.getIntPropertyValue(text, getattr(icu.UProperty, name))

    def has(name):
        return icu.Char.hasBinaryProperty(text, getattr(icu.UProperty, name))

    text = chr(point)
    category, break_class = number('GENERAL_CATEGORY'), number('GRAPHEME_CLUSTER_BREAK')
    conjunct = number('INDIC_CONJUNCT_BREAK')
    pictograph = has('EXTENDED_PICTOGRAPHIC')
    cells = 1
    is_mark = category in (MN, ME, CF, ZL, ZP) or number('HANGUL_SYLLABLE_TYPE') in (VOWEL, TRAILING)
    if (is_mark and break_class != GCB_PREPEND and point != 0xAD) or point in IDEOGRAPHIC_MARKS:
        cells = 0
    elif number('EAST_ASIAN_WIDTH') in (FULLWIDTH, WIDE):
        cells = 2
    elif category == UNASSIGNED and pictograph and 0x1F900 <= point < 0x1FB00:
        cells = 2
    # Characters that the emoji selector makes wide: emoji-variation-sequences.txt has no others.
    is_text_emoji = has('EMOJI') and not has('EMOJI_PRESENTATION')
    if point == 0x200D:
        kind = JOINER
    elif conjunct == INCB_LINKER:
        kind = LINKER
    elif cells == 0 or has('EMOJI_MODIFIER'):
        kind = EXTEND
    elif has('REGIONAL_INDICATOR'):
        kind = REGIONAL
    elif pictograph:
        kind = PICTOGRAPH_EMOJI if is_text_emoji else PICTOGRAPH
    elif conjunct == INCB_CONSONANT:
        kind = CONSONANT
    elif break_class in (GCB_SPACING, GCB_EXTEND):
        kind = SPACING
    elif break_class == GCB_PREPEND:
        kind = PREPEND
    else:
        kind = OTHER_EMOJI if is_text_emoji else OTHER
    return kind | cells << 4


def literal(name, comment, text):
    lines = [text[start:start + LINE] for start in range(0, len(text), LINE)]
    body = '\\#\n'.join('        ' + line for line in lines)
    return f'    /// {comment}\n    static let {name}: StaticString = #"""\n{body}\n        """#\n'


def main():
    if int(icu.UNICODE_VERSION.split('.')[0]) < 16:
        sys.exit(f'ICU {icu.ICU_VERSION} has Unicode {icu.UNICODE_VERSION}, and 16 is needed')
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    output = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, 'Sources/Terminal/Unicode/UnicodeTables.swift')
    text = ''.join(chr(0x30 + value(point)) for point in range(END))
    blocks, index = [], []
    for start in range(0, END, BLOCK):
        block = text[start:start + BLOCK]
        if block not in blocks:
            blocks.append(block)
        index.append(blocks.index(block))
    pairs = ''.join(chr(0x30 + (each >> 6)) + chr(0x30 + (each & 63)) for each in index)
    with open(output, 'w', encoding='utf-8') as file:
        file.write('// Written by Scripts/unicode-tables.py; its documentation says what the values mean.\n\n')
        file.write(f'/// The widths and kinds of the code points below U+20000, of Unicode {icu.UNICODE_VERSION}, as '
                   f'ICU {icu.ICU_VERSION} has them.\n')
        file.write('enum UnicodeTables {\n')
        file.write(literal('index', 'The block of each 128 code points, in two digits of base 64.', pairs) + '\n')
        file.write(literal('blocks', 'The values of the code points, in blocks of 128.', ''.join(blocks)) + '}\n')
    print(f'Unicode {icu.UNICODE_VERSION}: {len(blocks)} blocks', file=sys.stderr)


if __name__ == '__main__':
    main()

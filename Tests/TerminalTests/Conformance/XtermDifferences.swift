/// The screens of `XtermScreenTests` that differ from xterm 379, with reasons; listed in docs/terminal.md.
enum XtermDifferences {
    enum Reason: String, CaseIterable {
        case reverseWrap = "as in xterm 383 and later"
        case singleWidth = "a wrap is pending only while the cursor is at the end of its row"
        case vt52 = "attached terminals rarely support it"
        case ideographicMarks = "a mark of category Mc next to an ideograph has no cell of its own"
        case graphemes =
            "an Indic conjunct and its vowel are one grapheme cluster (UAX #29, GB9a and GB9c)"
        case illFormed = "each maximal part of an ill-formed sequence is replaced by U+FFFD (Unicode §3.9)"
    }

    private static let screens: [Reason: Set<String>] = [
        .reverseWrap: ["45 not wrapped"],
        .singleWidth: ["pending on double width over DECSWL"],
        .vt52: ["vt52"],
        .ideographicMarks: ["hangul tone", "vietnamese reading"],
        .graphemes: ["devanagari"],
        .illFormed: ["overlong CSI", "overlong ESC"],
    ]

    static var names: Set<String> { screens.values.reduce([]) { $0.union($1) } }

    static func reason(for name: String) -> Reason? {
        Reason.allCases.first { screens[$0]?.contains(name) == true }
    }
}

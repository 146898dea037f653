/// The screens of `XtermScreenTests` that differ from xterm 379, with reasons; listed in docs/terminal.md.
enum XtermDifferences {
    enum Reason: String, CaseIterable {
        case reverseWrap = "as in xterm 383 and later"
        case backTab = "every other movement to the left cancels the pending wrap"
        case doubleWidth =
            "the right half of a row is lost when it becomes double-width (VT100 User Guide)"
        case nationalSet = "the British set differs from ASCII in `#` only (VT220 manual, table 2-9)"
        case ideographicMarks = "a mark of category Mc next to an ideograph has no cell of its own"
        case graphemes =
            "an Indic conjunct and its vowel are one grapheme cluster (UAX #29, GB9a and GB9c)"
        case illFormed = "each maximal part of an ill-formed sequence is replaced by U+FFFD (Unicode §3.9)"
    }

    private static let screens: [Reason: Set<String>] = [
        .reverseWrap: ["45 not wrapped"],
        .backTab: ["pending over CBT", "cbt on double width"],
        .doubleWidth: [
            "pending over DECDWL", "cup on double width", "cha on double width", "double width text beyond",
            "double width and back",
        ],
        .nationalSet: ["british"],
        .ideographicMarks: ["hangul tone", "vietnamese reading"],
        .graphemes: ["devanagari"],
        .illFormed: ["overlong CSI", "overlong ESC"],
    ]

    static var names: Set<String> { screens.values.reduce([]) { $0.union($1) } }

    static func reason(for name: String) -> Reason? {
        Reason.allCases.first { screens[$0]?.contains(name) == true }
    }
}

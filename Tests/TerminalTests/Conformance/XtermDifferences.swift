/// The screens of `XtermScreenTests` on which this terminal differs from xterm 379, and why.
enum XtermDifferences {
    enum Reason: String, CaseIterable {
        case reverseWrap = "mode 45 stays within a line that wrapped, as in xterm from patch 383 on"
        case backTab = "CBT ends the wait for a wrap, as every other movement to the left does"
        case doubleWidth =
            "the right half of a row is lost when it gets double width (VT100 User Guide), and CUP there writes"
        case nationalSet = "the British set differs from ASCII in '#' only (VT220 manual, table 2-9)"
        case ideographicMarks = "the marks of category Mc that stand by an ideograph have no cell of their own"
        case graphemes =
            "an Indic conjunct and its vowel are one character of two cells (UAX #29, GB9a and GB9c; mode 2027)"
        case illFormed = "each maximal part of ill-formed UTF-8 is U+FFFD (Unicode §3.9); xterm decodes overlong forms"
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

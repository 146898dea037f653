/// The steps of vt100-rust's fixtures after which the state differs, with reasons; listed in docs/terminal.md.
enum VT100Differences {
    enum Reason: String, CaseIterable {
        case sharedCursor =
            "both screens share a cursor with mode 47 (ctlseqs; fixture t0090 for xterm)"
        case intensity = "bold and dim are two attributes (ctlseqs, SGR 1 and 2)"
        case erasing = "erasing keeps the background color only (ctlseqs, bce)"
        case pendingWrap = "moving or erasing cancels the pending wrap (xterm; fixture t0006)"
        case lineStart = "IL and DL move the cursor to the left margin (ECMA-48 §8.3.67; fixture t0051 for xterm)"
        case home = "DECSTBM moves the cursor to the first row of the screen unless origin mode is set (VT510 manual)"
        case mouse = "resetting any mouse mode stops reports, and resetting any encoding restores the default (xterm)"
        case halves = "inserting in the middle of a wide character blanks both halves (xterm)"
        case wideWrap = "a wide character that does not fit wraps like any other (xterm)"
    }

    private static let steps: [Reason: [String: [Int]]] = [
        .sharedCursor: ["alternate_buffer": [3, 4, 5, 6, 7, 10, 11, 13], "origin_mode": [7, 9]],
        .intensity: ["attrs": [7]],
        .erasing: ["attrs": [10]],
        .pendingWrap: [
            "attrs": [12], "combining": [14], "el": [22, 26], "ff": [4, 5], "ich_dch_ech": [11, 12], "lf": [4, 5],
            "relative_movement": [17], "vt": [4, 5], "wide": [24], "wrap": [19, 20, 21, 29],
        ],
        .lineStart: ["decstbm": [10], "il_dl": [2, 3, 4, 6, 7, 8, 11, 12, 16, 17, 18, 21]],
        .home: ["decstbm": [4], "origin_mode": [1]],
        .mouse: ["modes": [12, 13, 14, 15, 17]],
        .halves: ["ich_dch_ech": [15], "wide": [9]],
        .wideWrap: ["wrap": [15, 16, 31]],
    ]

    static func reason(for name: String, _ step: Int) -> Reason? {
        Reason.allCases.first { steps[$0]?[name]?.contains(step) == true }
    }
}

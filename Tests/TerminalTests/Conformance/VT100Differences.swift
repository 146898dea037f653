/// The steps of vt100-rust's fixtures after which this terminal is another, as xterm is.
enum VT100Differences {
    enum Reason: String, CaseIterable {
        case sharedCursor =
            "both screens have one cursor with mode 47 (xterm's ctlseqs; t0090 of the fixtures for xterm)"
        case intensity = "bold and dim are two attributes (xterm's ctlseqs, SGR 1 and 2)"
        case erasing = "erasing leaves the colours only (xterm's ctlseqs, bce)"
        case pendingWrap = "moving away from the last column or erasing ends the wait for a wrap (xterm; t0006)"
        case lineStart = "IL and DL go to the left margin (ECMA-48 8.3.67; t0051 and t0052 of the fixtures for xterm)"
        case home = "DECSTBM goes to the first row of the screen unless origin mode is set (VT510 manual)"
        case mouse = "resetting any mouse mode ends mouse reports, and any encoding the encoding (xterm)"
        case halves = "inserting in the middle of a wide character blanks both halves (xterm)"
        case wideWrap = "a wide character for which there is no room wraps the line like any other"
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

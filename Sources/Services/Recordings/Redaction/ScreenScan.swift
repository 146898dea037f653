import Core
import Recording
import Terminal

/// Looks for secrets in the lines that a terminal shows.
struct ScreenScan {
    private var screen: ScreenWatch
    private var search: SecretSearch
    /// The rule of the first secret that was seen.
    private(set) var found: String?

    init(_ size: TerminalSize, _ plan: RedactionPlan) {
        screen = ScreenWatch(size: size)
        search = SecretSearch(plan)
    }

    mutating func take(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty, found == nil {
            let piece = rest.prefix(screen.pieceBytes)
            rest = rest.dropFirst(piece.count)
            screen.feed(piece)
            look()
        }
    }

    /// An event is over: what it left can be seen.
    mutating func see() {
        guard found == nil else { return }
        screen.lookAtScreen()
        look()
        screen.seeScreen()
    }

    mutating func resize(to size: TerminalSize) {
        guard size != screen.size else { return }
        see()
        screen.resize(to: size)
        // Rows that are joined in another way may make a line that was none before.
        screen.forEachLineShown { line in
            note(Array(line.text), line.isWhole)
            return found == nil
        }
    }

    private mutating func look() {
        var lines: [(text: [UInt8], isWhole: Bool)] = []
        screen.takeLines { line in
            lines.append((Array(line.text), line.isWhole))
            return true
        }
        for line in lines { note(line.text, line.isWhole) }
    }

    private mutating func note(_ text: [UInt8], _ isWhole: Bool) {
        guard let secret = search.secrets(in: text, isWhole: isWhole).first else { return }
        found = found ?? secret.rule
    }
}

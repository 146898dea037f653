/// The action of a key in the player.
enum PlayKey: Hashable, Sendable {
    case pause
    case step
    case backwards
    case forwards
    case nextMarker
    case quit
    case interrupt
    /// Not a key: a request to stop the process.
    case suspend

    /// Parses input from a keyboard; unknown keys are ignored.
    static func keys(in bytes: [UInt8]) -> [PlayKey] {
        var keys: [PlayKey] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: " "): keys.append(.pause)
            case UInt8(ascii: "."): keys.append(.step)
            case UInt8(ascii: "]"): keys.append(.nextMarker)
            case UInt8(ascii: "q"), 0x04: keys.append(.quit)
            case 0x03: keys.append(.interrupt)
            // Arrow keys, as CSI or in application mode as SS3 (xterm, ctlseqs, "PC-Style Function Keys").
            case 0x1B where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
                rest = rest.dropFirst()
                let final = rest.firstIndex { (0x40...0x7E).contains($0) } ?? rest.endIndex
                if final < rest.endIndex, rest[final] == UInt8(ascii: "D") { keys.append(.backwards) }
                if final < rest.endIndex, rest[final] == UInt8(ascii: "C") { keys.append(.forwards) }
                rest = rest[final...].dropFirst()
            default: continue
            }
        }
        return keys
    }
}

/// The kitty keyboard protocol's flag stack for one of the two screens.
package struct KeyboardStack: Hashable, Sendable {
    /// The flags; the last entry is in effect, the first exists without any push.
    private var flags = [0]

    /// Like terminals, discards the oldest entries beyond this number.
    private static let limit = 16

    package init() {}

    /// The sequences that reset the stack.
    package var clearing: String {
        let pop = flags.count > 1 ? "\u{1B}[<\(flags.count - 1)u" : ""
        return flags[0] == 0 ? pop : "\(pop)\u{1B}[=0;1u"
    }

    package mutating func apply(_ sequence: EscapeSequence) {
        let parameters = sequence.parameters
        switch sequence.marker {
        case UInt8(ascii: ">"):
            flags.append(parameters[0])
            if flags.count > Self.limit { flags.remove(at: 1) }
        case UInt8(ascii: "<"):
            flags.removeLast(min(max(parameters[0], 1), flags.count - 1))
        case UInt8(ascii: "="):
            let last = flags.count - 1
            switch parameters.count > 1 ? parameters[1] : 1 {
            case 2: flags[last] |= parameters[0]
            case 3: flags[last] &= ~parameters[0]
            default: flags[last] = parameters[0]
            }
        default: break
        }
    }
}

/// The flag stack of kitty's keyboard protocol for one screen.
///
/// See "Progressive enhancement" in the protocol's documentation (sw.kovidgoyal.net/kitty/keyboard-protocol).
package struct KeyboardStack: Hashable, Sendable {
    /// The flags, 5 bits each; the last entry is in effect, and the first one exists even if none has been pushed.
    private(set) var flags: [UInt8] = [0]

    /// The maximum number of entries; beyond it, the oldest pushed entry is discarded.
    private static let limit = 16

    package init() {}

    var current: UInt8 { flags.last ?? 0 }

    mutating func push(_ new: Int) {
        if flags.count == Self.limit { flags.remove(at: 1) }
        flags.append(UInt8(truncatingIfNeeded: new & 31))
    }

    /// Removes entries; if none is left, all flags are reset.
    mutating func pop(_ count: Int) {
        flags.removeLast(min(count, flags.count))
        if flags.isEmpty { flags = [0] }
    }

    /// Changes the flags in effect: replaces them (1), or sets (2) or clears (3) the given bits.
    mutating func set(_ new: Int, how: Int) {
        let bits = UInt8(truncatingIfNeeded: new & 31)
        switch how {
        case 2: flags[flags.count - 1] |= bits
        case 3: flags[flags.count - 1] &= ~bits
        default: flags[flags.count - 1] = bits
        }
    }

    /// Records the effect of a sequence that ends in `u`.
    mutating func apply(_ sequence: EscapeSequence) {
        let parameters = sequence.parameters
        switch sequence.marker {
        case UInt8(ascii: ">"): push(parameters[0])
        case UInt8(ascii: "<"): pop(max(parameters[0], 1))
        case UInt8(ascii: "="): set(parameters[0], how: parameters.count > 1 ? parameters[1] : 1)
        default: break
        }
    }

    /// The sequences that reset the stack.
    var clearing: String {
        let pop = flags.count > 1 ? "\u{1B}[<\(flags.count - 1)u" : ""
        return flags[0] == 0 ? pop : "\(pop)\u{1B}[=0;1u"
    }
}

/// The flags of kitty's keyboard protocol.
///
/// See "Progressive enhancement" in the protocol's documentation (sw.kovidgoyal.net/kitty/keyboard-protocol).
package struct KeyboardFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The names of the flags that are set, such as `kitty-disambiguate`.
    package var names: [String] {
        let all = ["disambiguate", "event-types", "alternate-keys", "all-keys", "associated-text"]
        return all.enumerated().filter { rawValue & 1 << UInt8($0.offset) != 0 }.map { "kitty-\($0.element)" }
    }
}

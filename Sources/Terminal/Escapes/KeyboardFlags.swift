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

/// Which modes are set.
package struct Modes: Hashable, Sendable {
    private var bits: UInt64

    /// Creates the modes as they are after a reset.
    package init() {
        bits = 0
        for mode in [Mode.localEchoOff, .autoWrap, .autoRepeat, .showCursor, .metaEscape, .graphemes] {
            bits |= 1 << UInt64(mode.rawValue)
        }
    }

    @inline(__always)
    package subscript(_ mode: Mode) -> Bool {
        get { bits & 1 << UInt64(mode.rawValue) != 0 }
        set { bits = newValue ? bits | 1 << UInt64(mode.rawValue) : bits & ~(1 << UInt64(mode.rawValue)) }
    }

    /// The modes that differ from their state after a reset.
    package var changed: [Mode] {
        let reset = Modes()
        return Mode.allCases.filter { self[$0] != reset[$0] }
    }
}

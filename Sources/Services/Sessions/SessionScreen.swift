import Core
import Terminal

/// What the terminal of a session shows, as bytes that put a new terminal into that state.
package struct SessionScreen: Sendable {
    package var session: Session
    /// The end of the output that is shown.
    package var offset: UInt64
    package var size: TerminalSize
    /// Bytes from `StateRenderer` that make a new terminal of that size show the screen.
    package var state: [UInt8]
    /// The number of rows in `state` that have scrolled off the screen.
    package var scrollback = 0

    /// A terminal that shows the screen.
    package func emulator() -> Emulator {
        var emulator = Emulator(size: size, scrollbackBytes: Self.scrollbackBytes(rows: scrollback))
        emulator.feed(state)
        return emulator
    }

    /// Returns enough memory for this many rows that have scrolled off, unless every character in a row has its own
    /// style.
    static func scrollbackBytes(rows: Int) -> Int {
        rows == 0 ? 0 : min(max(rows << 9, 1 << 20), 256 << 20)
    }
}

import Core
import Synchronization

/// The terminal to which the standard streams of this process are connected.
package final class ProcessTerminal: RunTerminal {
    private struct State {
        var raw: RawTerminal?
        var isGuarded = false
    }

    private let state = Mutex(State())

    package init() {}

    package func begin(raw: Bool, hasScreen: Bool) -> Bool {
        let terminal = raw ? RawTerminal(StandardStream.input.rawValue) : nil
        let isGuarded = terminal != nil || hasScreen
        state.withLock { $0 = State(raw: terminal, isGuarded: isGuarded) }
        if isGuarded { TerminalGuard.begin(raw: terminal, output: StandardStream.output.rawValue) }
        return terminal != nil
    }

    package func prepare(_ reset: [UInt8]) {
        TerminalGuard.prepare(reset)
    }

    package func suspend() {
        let raw = state.withLock { $0.raw }
        raw?.restore()
        SignalThread.stop()
        raw?.resume()
    }

    package func end() {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.raw?.restore()
        if ended.isGuarded { TerminalGuard.end() }
    }
}

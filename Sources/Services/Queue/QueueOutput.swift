import Core
import Storage
import Synchronization
import Terminal

/// Collects the text that the command of an entry prints.
final class QueueOutput: OutputReceiver {
    private struct State {
        var renderer = LineRenderer(size: .standard)
        var hasOutput = false
        var text: [UInt8] = []
        var omitted: UInt64 = 0

        mutating func add(_ bytes: [UInt8]) {
            let part = bytes.prefix(QueueEntry.outputLimitBytes - text.count)
            text += part
            omitted += UInt64(bytes.count - part.count)
        }
    }

    private let state = Mutex(State())

    func resized(to size: TerminalSize) async throws(VTError) {
        state.withLock { state in
            if !state.hasOutput { state.renderer = LineRenderer(size: size) }
        }
    }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        state.withLock { state in
            state.hasOutput = true
            var rest = bytes[...]
            while !rest.isEmpty { state.add(state.renderer.render(&rest)) }
        }
        return true
    }

    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        state.withLock { $0.omitted += end - start }
    }

    /// The text, and the number of bytes that are missing, if any.
    func result() -> (text: String, omitted: UInt64?) {
        state.withLock { state in
            state.add(state.renderer.finish())
            if state.omitted > 0 {
                let cut = state.text.count - LimitedOutput.wholeLines(of: state.text)
                state.text.removeLast(cut)
                state.omitted += UInt64(cut)
            }
            return (String(decoding: state.text, as: UTF8.self), state.omitted > 0 ? state.omitted : nil)
        }
    }
}

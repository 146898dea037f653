import Core
import Glibc
import Synchronization
import System

/// The terminal to which the standard streams of this process are connected.
package final class ProcessTerminal: RunTerminal {
    /// A question that is waiting for its answer.
    private struct Question {
        var terminal: ChangedTerminal
        var text: [UInt8]

        func show() {
            // A failure means that there is no terminal any longer, so that reading fails, too.
            _ = BlockingIO.write(terminal.descriptor, text)
        }
    }

    private struct State {
        var raw: ChangedTerminal?
        var isGuarded = false
        var question: Question?
    }

    private let state = Mutex(State())
    private let poller: DescriptorPoller

    /// The maximum length of an answer; OpenSSH has the same limit.
    private static let answerLimitBytes = 1023

    package init(poller: DescriptorPoller) {
        self.poller = poller
    }

    package func begin(raw: Bool, hasScreen: Bool) -> Bool {
        let terminal = raw ? ChangedTerminal(raw: StandardStream.input.rawValue) : nil
        let isGuarded = terminal != nil || hasScreen
        state.withLock { $0 = State(raw: terminal, isGuarded: isGuarded) }
        if isGuarded { TerminalGuard.begin(raw: terminal, output: StandardStream.output.rawValue) }
        return terminal != nil
    }

    package func prepare(_ reset: [UInt8]) {
        TerminalGuard.prepare(reset)
    }

    package func suspend() {
        let (raw, question) = state.withLock { ($0.raw, $0.question) }
        question?.terminal.restore()
        raw?.restore()
        SignalThread.stop()
        raw?.resume()
        question?.terminal.resume()
        question?.show()
    }

    package func end() {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.raw?.restore()
        if ended.isGuarded { TerminalGuard.end() }
    }

    // MARK: - Questions

    /// Opens the controlling terminal (tty(4)); nil if there is none.
    private static func controllingTerminal() -> FileDescriptor? {
        try? FileDescriptor.open("/dev/tty", O_RDWR | O_NOCTTY)
    }

    package var canAsk: Bool {
        Self.controllingTerminal() != nil
    }

    package func ask(_ prompt: Prompt) async throws(VTError) -> [UInt8]? {
        guard let file = Self.controllingTerminal(),
            let terminal = ChangedTerminal(question: file.number, echoes: prompt.echoes)
        else { return nil }
        // Like ssh, starts the line again, over anything that was typed before echo was turned off.
        let question = Question(terminal: terminal, text: Array("\r\(prompt.text)".utf8))
        let isGuarded = state.withLock { state in
            state.question = question
            return state.isGuarded
        }
        if !isGuarded { TerminalGuard.begin(raw: terminal, output: file.number) }
        defer {
            terminal.restore()
            if !prompt.echoes { _ = BlockingIO.write(file.number, [UInt8(ascii: "\n")]) }
            state.withLock { $0.question = nil }
            if !isGuarded { TerminalGuard.end() }
        }
        question.show()
        return try await line(from: file.number)
    }

    /// Reads a line without its end; nil at the end of the file.
    private func line(from descriptor: CInt) async throws(VTError) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            try await poller.wait(for: .readable, on: descriptor)
            let bytes = try BlockingIO.read(descriptor, limit: 4096)
            let part = bytes.prefix { $0 != UInt8(ascii: "\n") }
            line += part.prefix(Self.answerLimitBytes - line.count)
            // An end of file in the middle of a line ends the line.
            guard part.count == bytes.count, !bytes.isEmpty else { return bytes.isEmpty && line.isEmpty ? nil : line }
        }
    }
}

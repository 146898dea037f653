import Core
import Glibc
import System
import Terminal

/// Answers the program's terminal queries in place of the clients' terminals.
extension HolderLoop {
    /// The maximum size of replies that the program has not read; further replies are dropped.
    private static let answerLimitBytes = 16 << 10

    /// Whether there may be an unanswered query.
    var isQueried: Bool { screenPosition < min(queryEnd, log.keptEnd) }

    /// Scans newly logged output, which starts at `start`, for queries.
    func scanQueries(_ bytes: UnsafeRawBufferPointer, at start: UInt64) {
        if let end = unsafe queries.scan(bytes) { queryEnd = start + UInt64(end) }
    }

    /// Queues the emulator's replies to queries in the processed output.
    func queueAnswers() {
        let new = screens.takeAnswers()
        guard !new.isEmpty, terminal != nil, ending.status == nil else { return }
        // If the replies do not all fit, drop all of them, so that none is truncated.
        guard answers.count + new.count <= Self.answerLimitBytes else { return }
        answers += new
        updateLine(new)
    }

    /// Writes the replies to the terminal, but never within a client's input; returns whether input can follow.
    func writeAnswers() -> Bool {
        guard !answers.isEmpty, input.jobs.first?.written ?? 0 == 0 else { return true }
        guard let number = terminal?.number else { return false }
        let result = unsafe answers.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
        if result > 0 { answers.removeFirst(result) }
        return answers.isEmpty
    }

    /// Reports a new size to the emulator immediately, so that it sends the size report that the program may have
    /// requested (mode 2048).
    func reportSize() {
        // If output is unprocessed, the emulator receives the new size after that output.
        guard screenPosition == log.keptEnd, screenPosition > 0 else {
            queryEnd = log.end
            return
        }
        // If the log cannot be opened, the report is omitted.
        try? screens.follow(try openLog(), end: screenPosition, size: record.size)
        queueAnswers()
    }

    /// Uses the colors of a client's terminal in replies, unless the client is attached read-only.
    func useColors(_ colors: TerminalColors, of client: HolderClient) {
        guard client.attachment != nil, !client.isReadOnly else { return }
        screens.use(colors)
    }
}

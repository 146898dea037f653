import Core
import Glibc
import POSIX

/// The program's queries of its terminal, which the holder alone answers, whoever is attached.
extension HolderLoop {
    /// What a program that asks and does not read may have waiting; further answers are dropped.
    private static let answerLimitBytes = 16 << 10

    /// Whether there may be a query that has not been answered.
    var isQueried: Bool { screenPosition < min(queryEnd, log.keptEnd) }

    /// Looks for queries in output that has just been logged, the first byte of which is at `start`.
    func noteQueries(_ bytes: UnsafeRawBufferPointer, at start: UInt64) {
        if let end = unsafe queries.scan(bytes) { queryEnd = start + UInt64(end) }
    }

    /// Queues what the terminal answers to the output that was followed.
    func takeAnswers() {
        let new = screens.takeAnswers()
        guard !new.isEmpty, terminal != nil, ending.status == nil else { return }
        // All or nothing, so that no answer is cut in two.
        guard answers.count + new.count <= Self.answerLimitBytes else { return }
        answers += new
        noteLine(new)
    }

    /// Gives the program the answers, between two inputs of clients; returns whether input may follow.
    func writeAnswers() -> Bool {
        guard !answers.isEmpty, input.jobs.first?.written ?? 0 == 0 else { return true }
        guard let number = terminal?.number else { return false }
        let result = unsafe answers.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
        if result > 0 { answers.removeFirst(result) }
        return answers.isEmpty
    }

    /// Has the terminal hear of its new size at once, since it tells programs that asked for it (mode 2048).
    func tellSize() {
        // Behind what it has not followed, it hears in turn.
        guard screenPosition == log.keptEnd, screenPosition > 0 else {
            queryEnd = log.end
            return
        }
        // Without the log there is nothing to tell by.
        try? screens.follow(try openLog(), end: screenPosition, size: record.size)
        takeAnswers()
    }

    /// Takes over the colors of the terminal of a client that has a say.
    func useColors(_ colors: TerminalColors, of client: HolderClient) {
        guard client.attachment != nil, !client.isReadOnly else { return }
        screens.use(colors)
    }
}

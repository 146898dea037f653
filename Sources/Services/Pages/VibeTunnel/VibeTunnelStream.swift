import Core
import Recording
import Runtime
import Synchronization

/// What a session has written, and then more as it arrives, as a recording in UTF-8 that never splits a character.
///
/// If a session has written much already, the history begins with the bytes that restore its screen, so that the client
/// sees all of it at once.
struct VibeTunnelStream: Sendable {
    private let found: ServedSession

    /// The maximum length of the output that is repeated in full.
    private static let historyBytes: UInt64 = 256 << 10

    init(_ found: ServedSession) {
        self.found = found
    }

    /// Whether the history contains all output.
    var isWhole: Bool { found.session.firstOffset == 0 && found.session.outputBytes <= Self.historyBytes }

    /// Passes on the header, output and resizes, and finally the exit, whose status is -1 if it is unknown.
    ///
    /// - Throws: when the session cannot be followed to its end, whose status may be known later.
    func follow(_ receive: @escaping @Sendable (RecordingItem) async throws(VTError) -> Void) async throws(VTError) {
        var request = RecordRequest()
        request.follows = true
        // The time of the last event, at which the screen is restored.
        if !isWhole { request.start = .beforeEnd(RecordingTime(microseconds: 1)) }
        let sink = ItemSink(receive)
        do throws(VTError) {
            try await found.client.record(found.id, request, to: sink)
            try await sink.finish()
        } catch {
            guard error.code == .negative || error.code == .notFound else { throw error }
        }
        guard !sink.hasExited else { return }
        try await receive(.event(RecordingEvent(time: sink.time, .exit(-1))))
    }
}

/// Reads the items of a recording that is written to it, and passes them on.
private final class ItemSink: ByteSink {
    private struct State: ~Copyable {
        var reader = AsciicastReader(.lenient)
        var time = RecordingTime.start
        var hasExited = false
    }

    private let receive: @Sendable (RecordingItem) async throws(VTError) -> Void
    private let state = Mutex(State())

    init(_ receive: @escaping @Sendable (RecordingItem) async throws(VTError) -> Void) {
        self.receive = receive
    }

    var hasExited: Bool { state.withLock { $0.hasExited } }

    /// The time of the last event.
    var time: RecordingTime { state.withLock { $0.time } }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        state.withLock { $0.reader.append(bytes) }
        try await pass()
    }

    func finish() async throws(VTError) {
        state.withLock { $0.reader.finish() }
        try await pass()
    }

    private func pass() async throws(VTError) {
        while let item = try next() { try await receive(item) }
    }

    private func next() throws(VTError) -> RecordingItem? {
        try state.withLock { state throws(VTError) in
            let item = try state.reader.next()
            if case .event(let event) = item {
                state.time = event.time
                if case .exit = event.content { state.hasExited = true }
            }
            return item
        }
    }
}

extension RecordingHeader {
    /// The header of upstream's servers, an asciicast header of version 2.
    ///
    /// Includes the command and, with `withTerminal`, the type of the terminal.
    func vibeTunnelDocument(of session: Session, withTerminal: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 2)
            writer.member("width", size.columns)
            writer.member("height", size.rows)
            writer.member("timestamp", timestamp)
            writer.member("command", session.command.joined(separator: " "))
            guard withTerminal else { return }
            writer.name("env")
            writer.object { $0.member("TERM", session.terminalType) }
        }
        return writer.bytes
    }
}

import Core
import Services
import Synchronization

/// Prints output and outcomes as a stream of events, one JSON object per line.
final class EventFormatter: ExecFormatter {
    private let output: SharedSink
    private let open = Mutex<[String: [EventSink]]>([:])

    init(output: SharedSink) {
        self.output = output
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        let sinks = [
            EventSink(.stdout, target: job.name, to: output),
            EventSink(.stderr, target: job.name, to: output),
        ]
        open.withLock { $0[job.name, default: []] += sinks }
        return (sinks[0], sinks[1])
    }

    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError) {
        for sink in open.withLock({ $0.removeValue(forKey: job.name) ?? [] }) { try await sink.flush() }
        let event = ExecEvent(outcome, target: job.name)
        try await output.write(event.jsonLine)
    }

    func finish() async throws(VTError) {}
}

/// Turns each piece of output into an event, without splitting characters.
private final class EventSink: ByteSink {
    private let kind: ExecEvent.Kind
    private let target: String
    private let sink: SharedSink
    /// An incomplete character at the end of the output.
    private let rest = Mutex<[UInt8]>([])

    init(_ kind: ExecEvent.Kind, target: String, to sink: SharedSink) {
        self.kind = kind
        self.target = target
        self.sink = sink
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        let whole = rest.withLock { rest in
            var whole = rest + bytes
            let count = whole.unfinishedCharacterBytes
            rest = whole.suffix(count)
            whole.removeLast(count)
            return whole
        }
        try await show(whole)
    }

    func flush() async throws(VTError) {
        try await show(
            rest.withLock { rest in
                defer { rest = [] }
                return rest
            }
        )
    }

    private func show(_ bytes: [UInt8]) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        let event = ExecEvent(kind, target: target, bytes: bytes)
        try await sink.write(event.jsonLine)
    }
}

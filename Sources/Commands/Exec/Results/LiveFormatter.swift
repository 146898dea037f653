import Core
import Services
import Synchronization

/// Prints output as it arrives: lines that begin with the name of their target, or events, one JSON object per line, with
/// the outcomes.
final class LiveFormatter: ExecFormatter {
    private let output: SharedSink
    private let errorOutput: SharedSink
    private let styles: (output: OutputStyle, errorOutput: OutputStyle)
    private let isJSON: Bool
    private let open = Mutex<[String: [PieceSink]]>([:])

    /// Events are written to `output`.
    init(
        output: SharedSink,
        errorOutput: SharedSink,
        styles: (output: OutputStyle, errorOutput: OutputStyle),
        isJSON: Bool
    ) {
        self.output = output
        self.styles = styles
        self.errorOutput = errorOutput
        self.isJSON = isJSON
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        let sinks =
            isJSON
            ? [PieceSink(events: .stdout, of: job, to: output), PieceSink(events: .stderr, of: job, to: output)]
            : [
                PieceSink(linesOf: job, to: output, styles.output),
                PieceSink(linesOf: job, to: errorOutput, styles.errorOutput),
            ]
        open.withLock { $0[job.name, default: []] += sinks }
        return (sinks[0], sinks[1])
    }

    func ended(_ job: ExecJob, _ end: ExecEnd) async throws(VTError) {
        for sink in open.withLock({ $0.removeValue(forKey: job.name) ?? [] }) { try await sink.flush() }
        if isJSON { try await output.write(ExecEvent(end, target: job.name).jsonLine) }
    }

    func finish() async throws(VTError) {}
}

/// Formats output in pieces that can be shown by themselves.
private final class PieceSink: ByteSink {
    private let sink: SharedSink
    /// Appends bytes to those that are kept; removes and returns what can be shown.
    private let take: @Sendable (inout [UInt8], [UInt8]) -> [UInt8]
    private let format: @Sendable ([UInt8]) -> [UInt8]
    private let rest = Mutex<[UInt8]>([])

    /// The maximum length of a line; longer lines are split, to limit memory use.
    private static let lineLimitBytes = 1 << 20

    /// Turns output into events, without splitting characters.
    init(events kind: ExecEvent.Kind, of job: ExecJob, to sink: SharedSink) {
        self.sink = sink
        take = { rest, bytes in
            var whole = rest + bytes
            let count = whole.unfinishedCharacterBytes
            rest = whole.suffix(count)
            whole.removeLast(count)
            return whole
        }
        format = { ExecEvent(kind, target: job.name, bytes: $0).jsonLine }
    }

    /// Prefixes complete lines with the name of their target, so that several targets can share a stream.
    init(linesOf job: ExecJob, to sink: SharedSink, _ style: OutputStyle) {
        self.sink = sink
        take = { rest, bytes in
            guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
                rest += bytes
                guard rest.count > Self.lineLimitBytes else { return [] }
                defer { rest = [] }
                return rest
            }
            defer { rest = Array(bytes[(last + 1)...]) }
            return rest + bytes[...last]
        }
        let prefix = Array("\(style.dim("\(job.name.sanitized):")) ".utf8)
        format = { Self.prefixed($0, prefix) }
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await show(rest.withLock { take(&$0, bytes) })
    }

    /// Writes what is left.
    func flush() async throws(VTError) {
        try await show(
            rest.withLock { rest in
                defer { rest = [] }
                return rest
            }
        )
    }

    private func show(_ bytes: [UInt8]) async throws(VTError) {
        if !bytes.isEmpty { try await sink.write(format(bytes)) }
    }

    /// Prefixes each line, and terminates the last one.
    private static func prefixed(_ lines: [UInt8], _ prefix: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(lines.count + prefix.count * 2)
        var isAtStart = true
        for byte in lines {
            if isAtStart { result += prefix }
            result.append(byte)
            isAtStart = byte == UInt8(ascii: "\n")
        }
        return isAtStart ? result : result + [UInt8(ascii: "\n")]
    }
}

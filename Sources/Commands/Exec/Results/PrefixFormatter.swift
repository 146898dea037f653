import Core
import Services
import Synchronization

/// Prefixes each line with the name of its target, so that several targets can share a stream.
final class PrefixFormatter: ExecFormatter {
    private let output: SharedSink
    private let errorOutput: SharedSink
    private let open = Mutex<[String: [PrefixSink]]>([:])

    init(output: SharedSink, errorOutput: SharedSink) {
        self.output = output
        self.errorOutput = errorOutput
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        let sinks = [PrefixSink(job.name, to: output), PrefixSink(job.name, to: errorOutput)]
        open.withLock { $0[job.name, default: []] += sinks }
        return (sinks[0], sinks[1])
    }

    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError) {
        for sink in open.withLock({ $0[job.name] ?? [] }) { try await sink.flush() }
    }

    func finish() async throws(VTError) {}
}

/// Collects complete lines and writes them with a prefix.
private final class PrefixSink: ByteSink {
    private let prefix: [UInt8]
    private let sink: SharedSink
    private let rest = Mutex<[UInt8]>([])

    /// The maximum length of a line; longer lines are split, to limit memory use.
    private static let lineLimitBytes = 1 << 20

    init(_ name: String, to sink: SharedSink) {
        prefix = Array("\(name.sanitized): ".utf8)
        self.sink = sink
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        let lines = rest.withLock { rest in
            guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
                rest += bytes
                guard rest.count > Self.lineLimitBytes else { return [UInt8]() }
                defer { rest = [] }
                return prefixed(rest + [UInt8(ascii: "\n")])
            }
            defer { rest = Array(bytes[(last + 1)...]) }
            return prefixed(rest + bytes[...last])
        }
        try await sink.write(lines)
    }

    /// Writes an unterminated last line, and terminates it.
    func flush() async throws(VTError) {
        let line = rest.withLock { rest in
            defer { rest = [] }
            return rest.isEmpty ? [] : prefixed(rest + [UInt8(ascii: "\n")])
        }
        try await sink.write(line)
    }

    private func prefixed(_ lines: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(lines.count + prefix.count * 2)
        var isAtStart = true
        for byte in lines {
            if isAtStart { result += prefix }
            result.append(byte)
            isAtStart = byte == UInt8(ascii: "\n")
        }
        return result
    }
}

import Core
import Services
import Synchronization

/// Keeps all output until the end, and prints identical output once, under the names of its targets.
///
/// All but the end of each output goes to a temporary file.
final class GatherFormatter: ExecFormatter {
    /// The output of a target.
    private struct Streams {
        var output: GatheredOutput
        var errorOutput: GatheredOutput

        init(_ spool: GatherSpool) {
            output = GatheredOutput(spool)
            errorOutput = GatheredOutput(spool)
        }

        func isEqual(to other: Streams) async throws(VTError) -> Bool {
            guard try await output.isEqual(to: other.output) else { return false }
            return try await errorOutput.isEqual(to: other.errorOutput)
        }
    }

    /// The attributes that all targets of a group share; if hashes collide, several groups have the same key.
    private struct Key: Hashable {
        var outcome: ExecOutcome
        var output: GatheredOutput.Summary
        var errorOutput: GatheredOutput.Summary
    }

    private struct Group {
        var outcome: ExecOutcome
        var streams: Streams
        var names: [String]
    }

    private struct Groups {
        var all: [Group] = []
        /// The indexes in `all` of the groups with each key.
        var positions: [Key: [Int]] = [:]
    }

    private let output: any ByteSink
    private let errorOutput: any ByteSink
    private let styles: (output: OutputStyle, errorOutput: OutputStyle)
    private let spool = GatherSpool()
    private let collected = Mutex<[String: Streams]>([:])
    private let groups = Mutex(Groups())

    init(
        output: any ByteSink,
        errorOutput: any ByteSink,
        styles: (output: OutputStyle, errorOutput: OutputStyle)
    ) {
        self.output = output
        self.errorOutput = errorOutput
        self.styles = styles
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        let streams = Streams(spool)
        collected.withLock { $0[job.name] = streams }
        return (streams.output, streams.errorOutput)
    }

    func ended(_ job: ExecJob, _ end: ExecEnd) async throws(VTError) {
        let streams = collected.withLock { $0.removeValue(forKey: job.name) } ?? Streams(spool)
        let key = Key(
            outcome: end.outcome,
            output: streams.output.summary,
            errorOutput: streams.errorOutput.summary
        )
        for position in groups.withLock({ $0.positions[key, default: []] }) {
            let present = groups.withLock { $0.all[position].streams }
            guard try await streams.isEqual(to: present) else { continue }
            groups.withLock { $0.all[position].names.append(job.name) }
            return
        }
        groups.withLock { groups in
            groups.positions[key, default: []].append(groups.all.count)
            groups.all.append(Group(outcome: end.outcome, streams: streams, names: [job.name]))
        }
    }

    /// Prints the groups sorted by number of targets; the largest is last, so that it stays visible on a terminal.
    func finish() async throws(VTError) {
        let groups = groups.withLock { $0.all }.sorted { $0.names.count < $1.names.count }
        for group in groups {
            try await output.write(header(of: group, in: styles.output))
            try await show(group.streams.output, on: output)
            guard !group.streams.errorOutput.isEmpty else { continue }
            try await errorOutput.write(header(of: group, in: styles.errorOutput))
            try await show(group.streams.errorOutput, on: errorOutput)
        }
    }

    private func header(of group: Group, in style: OutputStyle) -> [UInt8] {
        let title = style.dim("--- \(NameRanges.folded(group.names).sanitized) (\(group.names.count))")
        let label = group.outcome.label.map { ": \(style.red($0.sanitized))" } ?? ""
        return Array("\(title)\(label)\n".utf8)
    }

    /// Writes a whole stream, and terminates its last line.
    private func show(_ stream: GatheredOutput, on sink: any ByteSink) async throws(VTError) {
        var reader = stream.reader()
        var last = UInt8(ascii: "\n")
        while let piece = try reader.next() {
            last = piece.last ?? last
            try await sink.write(piece)
        }
        if last != UInt8(ascii: "\n") { try await sink.write([UInt8(ascii: "\n")]) }
    }
}

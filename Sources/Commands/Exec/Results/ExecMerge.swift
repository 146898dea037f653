import Core
import Recording
import Services
import System

/// The parts of a run on many targets, joined: `vt exec --merge DIR`.
///
/// The files are read twice, line by line: once to check them, and once to write their lines sorted by target. In
/// between, only the positions of the lines are kept.
struct ExecMerge {
    /// The result of one target, according to the lines read so far.
    private struct Result {
        /// The name of the file that contains the target's lines.
        var file: String
        /// The positions of the lines, without the last line feed; adjacent lines are one range.
        var lines: [Range<Int>] = []
        var end: ExecEnd?
    }

    private let directory: String
    private var results: [String: Result] = [:]
    /// The file names, by part number.
    private var parts: [Int: String] = [:]
    /// The number of parts; nil if no file specifies it.
    private var count: Int?

    /// The suffix of the names of the files to read.
    private static let ending = ".json"
    /// The number of bytes to read at once.
    private static let pieceBytes = 64 << 10
    /// The maximum length of a line, which contains the whole output of a target if the run used --gather.
    private static let lineLimitBytes = 1 << 30

    /// Reads the files in a directory.
    ///
    /// - Throws: `not-found` when there are none; `data.invalid` when a file is not the output of a part, a file is empty
    ///   and the number of parts is unknown, or two files have the same part or target; `io`.
    init(_ directory: String) throws(VTError) {
        self.directory = directory
        let names = try DirectoryListing.names(in: directory).filter { $0.hasSuffix(Self.ending) }.sorted()
        guard !names.isEmpty else {
            throw VTError(.notFound, "'\(directory)' contains no files whose names end in \(Self.ending)")
        }
        var empty: [String] = []
        for name in names where try !read(name) { empty.append(name) }
        // If the number of parts is known, the part is reported as missing.
        if count == nil, let name = empty.first {
            throw VTError(
                .dataInvalid,
                "'\(directory)/\(name)' is empty",
                hint: "the run was probably killed before it wrote anything; run that part again"
            )
        }
    }

    /// Reads a file; returns whether it contains any lines.
    private mutating func read(_ name: String) throws(VTError) -> Bool {
        let file = try open(name)
        var lines = LineBuffer()
        // The position of the next line, and its number.
        var (start, number) = (0, 1)
        var isEmpty = true
        var isAtEnd = false
        while !isAtEnd {
            var piece = try file.read(limit: Self.pieceBytes)
            if piece.isEmpty {
                isAtEnd = true
                // The last line can lack a line feed.
                piece = [UInt8(ascii: "\n")]
            }
            lines.append(piece)
            while let range = lines.line() {
                if !range.isEmpty {
                    isEmpty = false
                    try add(Array(lines.bytes[range]), at: start, number: number, in: name)
                }
                start += range.count + 1
                number += 1
                lines.consume(to: range.upperBound + 1)
            }
            guard lines.count <= Self.lineLimitBytes else {
                throw VTError(
                    .dataInvalid,
                    "'\(directory)/\(name)', line \(number) is longer than \(Self.lineLimitBytes) bytes"
                )
            }
        }
        return !isEmpty
    }

    private func open(_ name: String) throws(VTError) -> OpenFile {
        let path = "\(directory)/\(name)"
        guard let file = try OpenFile(reading: path) else { throw VTError(.notFound, "'\(path)' was removed") }
        return file
    }

    private mutating func add(_ bytes: [UInt8], at start: Int, number: Int, in file: String) throws(VTError) {
        guard let line = ExecLine(bytes), line.isValid else {
            throw VTError(
                .dataInvalid,
                "'\(directory)/\(file)', line \(number) is not output of 'vt exec --json'",
                hint: "if the last line is incomplete because the run was killed, run that part again"
            )
        }
        if let shard = line.shard, let shards = line.shards {
            try add(shard, of: shards, in: file)
        } else if let target = line.target {
            try add(line, at: start..<start + bytes.count, about: target, in: file)
        }
    }

    private mutating func add(_ shard: Int, of shards: Int, in file: String) throws(VTError) {
        if let other = parts[shard] {
            throw VTError(.dataInvalid, "'\(other)' and '\(file)' are both part \(shard)/\(shards)")
        }
        guard count ?? shards == shards else {
            throw VTError(
                .dataInvalid,
                "'\(file)' is from a run with \(shards) parts, but other files are from a run with \(count ?? 0)"
            )
        }
        parts[shard] = file
        count = shards
    }

    private mutating func add(
        _ line: ExecLine,
        at range: Range<Int>,
        about target: String,
        in file: String
    ) throws(VTError) {
        // Removed while it is changed, so that the ranges are not copied.
        var result = results.removeValue(forKey: target) ?? Result(file: file)
        guard result.file == file else {
            throw VTError(.dataInvalid, "'\(result.file)' and '\(file)' both contain results for '\(target)'")
        }
        guard result.end == nil else {
            throw VTError(.dataInvalid, "'\(file)' contains several results for '\(target)'")
        }
        result.end = line.end
        if let last = result.lines.last, last.upperBound + 1 == range.lowerBound {
            result.lines[result.lines.count - 1] = last.lowerBound..<range.upperBound
        } else {
            result.lines.append(range)
        }
        results[target] = result
    }

    /// Writes the lines of all parts, sorted by target.
    ///
    /// - Throws: `io`, also if a file was truncated after it was checked; errors of the sink.
    func write(to sink: any ByteSink) async throws(VTError) {
        for (_, result) in results.sorted(by: { $0.key.naturallyPrecedes($1.key) }) {
            let file = try open(result.file)
            for range in result.lines {
                var start = range.lowerBound
                while start < range.upperBound {
                    var piece = try file.read(at: start, limit: min(range.upperBound - start, Self.pieceBytes))
                    guard !piece.isEmpty else { throw VTError(.io, "'\(file.path)' was truncated") }
                    start += piece.count
                    if start == range.upperBound { piece.append(UInt8(ascii: "\n")) }
                    try await sink.write(piece)
                }
            }
        }
    }

    /// The outcomes, sorted by target; a target without a result has failed.
    var summary: ExecSummary {
        ExecSummary(
            results: results.sorted { $0.key.naturallyPrecedes($1.key) }.map { target, result in
                let incomplete = VTError(.dataInvalid, "'\(result.file)' contains no result for this target")
                return (target, result.end ?? ExecEnd(.failed(incomplete)))
            }
        )
    }

    /// The numbers of the parts for which there is no file.
    var missingParts: [Int] {
        guard let count else { return [] }
        return (1...count).filter { parts[$0] == nil }
    }

    /// The number of parts; 0 if unknown.
    var partCount: Int { count ?? 0 }
}

/// The members of a JSON line that a merge depends on.
private struct ExecLine {
    let event: String?
    let outcome: String?
    let target: String?
    let exit: ExitStatus?
    let error: FailureDocument?
    let shard: Int?
    let shards: Int?
    let start: Timestamp?
    let duration: Duration?

    /// Returns nil unless the line is a JSON object and its members have the expected types.
    init?(_ line: [UInt8]) {
        guard let json = try? JSONOutlineParser.parse(line) else { return nil }
        do throws(JSONValueError) {
            event = try json.optional("event", in: line)
            outcome = try json.optional("outcome", in: line)
            target = try json.optional("target", in: line)
            exit = try json.optional("exit", in: line)
            error = try json.optional("error", in: line)
            shard = try json.optional("shard", in: line)
            shards = try json.optional("shards", in: line)
            start = try json.optional("started_at", in: line)
            duration = try json.optional("duration_ms", in: line)
        } catch {
            return nil
        }
    }

    /// Whether the line describes a target or identifies a part.
    var isValid: Bool {
        if let shard, let shards { return shards >= 1 && (1...shards).contains(shard) }
        return target != nil && (event != nil || outcome != nil)
    }

    /// How the run ended on the target; nil for a line about its output.
    var end: ExecEnd? {
        guard let execOutcome else { return nil }
        guard let start, let duration else { return ExecEnd(execOutcome) }
        return ExecEnd(execOutcome, ExecTiming(start: start, duration: duration))
    }

    private var execOutcome: ExecOutcome? {
        let state = outcome.flatMap(VTError.ProgramState.init)
        switch event ?? outcome {
        case "exit": return exit.map { .ended($0) }
        case "error": return (error?.error).map { .failed($0.leaving(state ?? .notStarted)) }
        case "skipped": return .skipped
        case "aborted": return .aborted(state ?? .mayBeRunning)
        // A document with the complete result of a target.
        case "ended", "may-be-running":
            if let exit { return .ended(exit) }
            return (error?.error).map { .failed($0.leaving(state ?? .mayBeRunning)) }
                ?? .aborted(state ?? .mayBeRunning)
        default: return nil
        }
    }
}

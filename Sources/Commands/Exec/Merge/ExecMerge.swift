import Core
import POSIX
import Services

/// The parts of a run on many targets, joined: `vt exec --merge DIR`.
struct ExecMerge {
    private struct Line {
        var target: String
        var bytes: [UInt8]
    }

    /// The result of one target, according to the lines read so far.
    private struct Result {
        /// The name of the file that contains these lines.
        var file: String
        var outcome: ExecOutcome?
    }

    private var lines: [Line] = []
    private var results: [String: Result] = [:]
    /// The file names, by part number.
    private var parts: [Int: String] = [:]
    /// The number of parts; nil if no file specifies it.
    private var count: Int?

    /// The suffix of the names of the files to read.
    private static let ending = ".json"

    /// Reads the files in a directory.
    ///
    /// - Throws: `not-found` when there are none; `data.invalid` when a file is not the output of a part, a file is empty
    ///   and the number of parts is unknown, or two files have the same part or target.
    init(_ directory: String) throws(VTError) {
        let names = try DirectoryListing.names(in: directory).filter { $0.hasSuffix(Self.ending) }.sorted()
        guard !names.isEmpty else {
            throw VTError(.notFound, "'\(directory)' contains no files whose names end in \(Self.ending)")
        }
        var empty: [String] = []
        for name in names where try !read(name, in: directory) { empty.append(name) }
        // If the number of parts is known, the part is reported as missing.
        if count == nil, let name = empty.first {
            throw VTError(
                .dataInvalid,
                "'\(directory)/\(name)' is empty",
                hint: "the run was probably killed before it wrote anything; run that part again"
            )
        }
        lines.sort { $0.target < $1.target }
    }

    /// Reads a file; returns whether it contains any lines.
    private mutating func read(_ name: String, in directory: String) throws(VTError) -> Bool {
        let contents = try FileContents.read("\(directory)/\(name)") ?? []
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() where !bytes.isEmpty {
            guard let line = JSONText.decode(ExecLine.self, from: Array(bytes)), line.isValid else {
                throw VTError(
                    .dataInvalid,
                    "'\(directory)/\(name)', line \(index + 1) is not output of 'vt exec --json'",
                    hint: "if the last line is incomplete because the run was killed, run that part again"
                )
            }
            if let shard = line.shard, let shards = line.shards {
                try add(shard, of: shards, in: name)
            } else if let target = line.target {
                try add(line, about: target, in: name)
                self.lines.append(Line(target: target, bytes: Array(bytes)))
            }
        }
        return lines.contains { !$0.isEmpty }
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

    private mutating func add(_ line: ExecLine, about target: String, in file: String) throws(VTError) {
        let present = results[target] ?? Result(file: file)
        guard present.file == file else {
            throw VTError(.dataInvalid, "'\(present.file)' and '\(file)' both contain results for '\(target)'")
        }
        guard present.outcome == nil else {
            throw VTError(.dataInvalid, "'\(file)' contains several results for '\(target)'")
        }
        results[target] = Result(file: file, outcome: line.execOutcome)
    }

    /// Writes the lines of all parts, sorted by target.
    func write(to sink: any ByteSink) async throws(VTError) {
        for line in lines { try await sink.write(line.bytes + [UInt8(ascii: "\n")]) }
    }

    /// The outcomes, sorted by target; a target without a result has failed.
    var summary: ExecSummary {
        ExecSummary(
            results: results.sorted { $0.key < $1.key }.map { target, result in
                let incomplete = VTError(.dataInvalid, "'\(result.file)' contains no result for this target")
                return (target, result.outcome ?? .failed(incomplete))
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
private struct ExecLine: Decodable {
    var event: String?
    var outcome: String?
    var target: String?
    var exit: ExitDocument?
    var error: FailureDocument?
    var shard: Int?
    var shards: Int?

    /// Whether the line describes a target or identifies a part.
    var isValid: Bool {
        if let shard, let shards { return shards >= 1 && (1...shards).contains(shard) }
        return target != nil && (event != nil || outcome != nil)
    }

    /// The outcome of the target; nil for a line about its output.
    var execOutcome: ExecOutcome? {
        switch outcome ?? event {
        case "exit": exit?.status.map { .ended($0) }
        case "error": (error?.error).map { .failed($0) }
        case "skipped": .skipped
        case "aborted": .aborted
        default: nil
        }
    }
}

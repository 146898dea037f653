import Core

/// The results of a run in its `--output-dir` directory, to which a retry adds its own.
struct ExecReport: Sendable {
    /// A result, as JSON.
    private struct Entry: JSONValue {
        static var jsonType: JSONType { ExecResult.jsonType }

        let target: String
        let json: [UInt8]

        func write(to writer: inout JSONWriter) { writer.json(json) }
    }

    private var entries: [Entry] = []
    private var targets: Set<String> = []

    /// Creates a report without results.
    init() {}

    /// Reads the document that `document(replacing:)` has returned.
    ///
    /// - Throws: `data.invalid`.
    init(_ bytes: [UInt8], path: String) throws(VTError) {
        guard let elements = (try? JSONOutlineParser.parse(bytes))?.elements else { throw Self.invalid(path) }
        for element in elements {
            guard let target = element.member("target")?.string(in: bytes) else { throw Self.invalid(path) }
            entries.append(Entry(target: target, json: Array(bytes[element.range])))
            targets.insert(target)
        }
    }

    private static func invalid(_ path: String) -> VTError {
        VTError(
            .dataInvalid,
            "'\(path)' is not a list of results of 'vt exec --output-dir'",
            hint: "use another directory for the retry"
        )
    }

    func contains(_ target: String) -> Bool { targets.contains(target) }

    /// Returns the document with these results, and those of all other targets as they are, sorted by target.
    func document(replacing results: [ExecResult]) -> [UInt8] {
        let replaced = Set(results.map(\.target))
        let all =
            entries.filter { !replaced.contains($0.target) }
            + results.map { Entry(target: $0.target, json: Self.element($0)) }
        return all.sorted { $0.target.naturallyPrecedes($1.target) }.jsonDocument
    }

    /// The result as an element of an indented array.
    private static func element(_ result: ExecResult) -> [UInt8] {
        let lines = result.jsonDocument.dropLast().split(separator: UInt8(ascii: "\n"))
        return Array(lines.joined(separator: "\n  ".utf8))
    }
}

import Arguments
import Core
import System

/// The output of a command: standard output, or a file that appears only when it is complete.
struct CastResult {
    private static let output = Option("output", short: "o", .file, summary: "write to this file")
    private static let force = Option.flag("force", summary: "overwrite the --output file if it exists")
    static let options: [any CommandOption] = [output, force]

    /// Nil for standard output.
    let path: String?
    private let replaces: Bool

    init(_ call: Call) throws(VTError) {
        path = call[Self.output].flatMap { $0 == "-" ? nil : $0 }
        replaces = call[Self.force]
        if replaces, path == nil {
            throw VTError(.usage, "--force requires --output", hint: "add --output FILE")
        }
    }

    /// Runs `body` and writes its output; on failure, no file is created or replaced.
    ///
    /// The file is opened before `body` runs, so that an error is reported early.
    func write(
        in context: Context,
        _ body: (([UInt8]) throws(VTError) -> Void) async throws(VTError) -> Void
    ) async throws(VTError) {
        guard let path else {
            return try await body { bytes throws(VTError) in
                if !bytes.isEmpty { try context.output.bytes(bytes) }
            }
        }
        let file = try AtomicFile(at: path, replaces: replaces)
        try await body { bytes throws(VTError) in try file.write(bytes) }
        try file.commit()
    }
}

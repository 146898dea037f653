import Arguments
import Core
import POSIX

/// Where a command writes the file that it makes: standard output, or a file that is there only when it is whole.
struct CastResult {
    /// Nil: standard output.
    let path: String?
    private let replaces: Bool

    init(_ arguments: ParsedArguments) throws(VTError) {
        path = arguments.value("output").flatMap { $0 == "-" ? nil : $0 }
        replaces = arguments.flag("force")
        if replaces, path == nil {
            throw VTError(.usage, "--force requires --output", hint: "add --output FILE")
        }
    }

    /// Writes what `body` gives; where it fails no file is left.
    ///
    /// The file is made before, so that what cannot be written is told before the work.
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

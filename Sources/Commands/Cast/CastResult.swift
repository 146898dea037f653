import CommandLine
import Core
import Glibc

/// Where a command writes the file that it makes: standard output, or a file that is there only when it is whole.
struct CastResult {
    static let specs = [
        OptionSpec(
            "output",
            short: "o",
            value: ValueSpec("OUT", completion: .file),
            summary: "write into this file, which is there only when it is whole"
        ),
        OptionSpec("force", summary: "replace the file of --output"),
    ]

    static let exitCodes: [ExitCode] = [.exists, .cannotCreate]

    /// Nil: standard output.
    let path: String?
    private let replaces: Bool

    init(_ arguments: ParsedArguments) throws(VTError) {
        path = arguments.value("output").flatMap { $0 == "-" ? nil : $0 }
        replaces = arguments.flag("force")
        if replaces, path == nil {
            throw VTError(.usage, "--force is for the file of --output", hint: "add --output OUT")
        }
    }

    /// Tells early what would fail in the end.
    ///
    /// - Throws: `exists` for a file that is not to be replaced.
    func check() throws(VTError) {
        guard let path, !replaces, let file = try OpenFile(reading: path), try file.status().st_size > 0 else { return }
        throw Self.exists(path)
    }

    /// Writes the whole result.
    func write(_ bytes: [UInt8], in context: Context) async throws(VTError) {
        try await write(in: context) { write throws(VTError) in try write(bytes) }
    }

    /// Writes all that `body` gives; no file is left when it fails.
    func write(
        in context: Context,
        _ body: (([UInt8]) throws(VTError) -> Void) throws(VTError) -> Void
    ) async throws(VTError) {
        guard let path else {
            return try body { bytes throws(VTError) in
                if !bytes.isEmpty { try context.output.bytes(bytes) }
            }
        }
        try check()
        let spool = try SpoolFile()
        try body { bytes throws(VTError) in try spool.append(bytes) }
        let file = try newFile(path)
        do throws(VTError) {
            var offset: Int64 = 0
            while true {
                let bytes = try spool.read(at: offset, limit: 256 << 10)
                guard !bytes.isEmpty else { break }
                offset += Int64(bytes.count)
                try await file.write(bytes)
            }
            try await file.finish()
        } catch {
            await file.discard()
            throw error
        }
    }

    private func newFile(_ path: String) throws(VTError) -> NewFile {
        do throws(VTError) {
            return try NewFile(path, replacing: replaces, isGrowing: false)
        } catch {
            throw error.code == .exists ? Self.exists(path) : error
        }
    }

    private static func exists(_ path: String) -> VTError {
        VTError(.exists, "'\(path)' exists", hint: "add --force to replace it")
    }
}

import Core
import POSIX

/// The files of a machine, accessed with sh(1), cat(1), stat(1) and similar tools.
///
/// Relative paths are relative to the directory in which the machine starts commands.
struct ShellFiles: RemoteFiles {
    let host: any CommandHost
    /// The machine's name in messages.
    let name: String

    /// The exit statuses of the scripts.
    private enum Failure: UInt32 {
        case missing = 66
        case notCreated = 73
        case notWritten = 74
    }

    /// The maximum amount of script output that is kept.
    private static let outputLimitBytes = 64 << 10

    func status(of path: String) async throws(VTError) -> RemoteFileStatus? {
        let script: ByteString = #"[ -e "$1" ] || exit 66; stat -L -c '%f %s' -- "$1""#
        let (status, output, errors) = try await run(script, [path])
        if status == .exited(Failure.missing.rawValue) { return nil }
        let words = output.split(whereSeparator: \.isWhitespace)
        guard status.isSuccess, words.count == 2, let mode = UInt32(words[0], radix: 16), let size = UInt64(words[1])
        else { throw failure(.io, "read the attributes of '\(path)'", errors) }
        // The file types of inode(7).
        let kind: RemoteFileStatus.Kind =
            switch mode & 0o170000 {
            case 0o100000: .file
            case 0o040000: .directory
            default: .other
            }
        return RemoteFileStatus(kind: kind, sizeBytes: size, mode: UInt16(mode & 0o7777))
    }

    func makeDirectory(_ path: String, mode: UInt16) async throws(VTError) {
        let script = Self.checkParent + #"mkdir -m "$2" -- "$1" || exit 73"#
        let (status, _, errors) = try await run(script, [path, String(mode, radix: 8)])
        try check(status, "create directory '\(path)'", errors)
    }

    func create(_ path: String, mode: UInt16, from source: any ByteSource) async throws(VTError) {
        // With -C, the redirection fails if the file exists.
        let script =
            Self.checkParent + #"set -C; umask 077; { cat && chmod "$2" "$1" || exit 74; "#
            + #"sync "$1" 2>/dev/null || :; } >"$1" || exit 73"#
        let (status, _, errors) = try await run(script, [path, String(mode, radix: 8)], input: source)
        try check(status, "create '\(path)'", errors)
    }

    func remove(_ path: String) async throws(VTError) {
        let (status, _, errors) = try await run(#"rm -f -- "$1""#, [path])
        guard status.isSuccess else { throw failure(.io, "remove '\(path)'", errors) }
    }

    // MARK: -

    /// Exits with 66 if the directory of `$1` does not exist.
    private static let checkParent: ByteString =
        #"case $1 in */*) d=${1%/*};; *) d=.;; esac; [ -d "${d:-/}" ] || exit 66; "#

    private func run(
        _ script: ByteString,
        _ words: [String],
        input: any ByteSource = EmptySource()
    ) async throws(VTError) -> (ExitStatus, output: String, errors: [String]) {
        let output = BoundedSink(limitBytes: Self.outputLimitBytes)
        let errors = BoundedSink(limitBytes: Self.outputLimitBytes)
        let request = ExecRequest(.arguments(["sh", "-c", script, "vt"] + words.map { ByteString($0) }))
        let streams = ProgramStreams(input: input, output: output, errorOutput: errors)
        let status = try await host.run(request, streams: streams)
        return (status, output.text, errors.text.split(separator: "\n").map(String.init))
    }

    private func check(_ status: ExitStatus, _ what: String, _ errors: [String]) throws(VTError) {
        guard case .exited(let code) = status else { throw failure(.io, what, errors + [status.phrase]) }
        switch Failure(rawValue: code) {
        case .missing: throw VTError(.notFound, "cannot \(what) on '\(name)': no such directory")
        case .notCreated: throw failure(.cannotCreate, what, errors)
        case .notWritten: throw failure(.io, what, errors)
        case nil where code != 0: throw failure(.io, what, errors)
        case nil: return
        }
    }

    private func failure(_ code: VTError.Code, _ what: String, _ errors: [String]) -> VTError {
        VTError(code, "cannot \(what) on '\(name)': \(errors.last ?? "unknown error")", causes: errors)
    }
}

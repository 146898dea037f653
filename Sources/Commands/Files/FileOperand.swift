import Arguments
import Core
import Runtime
import Services

/// A file on the command line: `PROFILE:PATH`, `:PATH`, or a path on this machine.
struct FileOperand: Hashable, Sendable {
    /// The part before the colon; nil for a path on this machine, empty for a path on the targets selected by options.
    var target: String?
    /// Not empty; relative to the user's home directory on a server.
    var path: ByteString

    static let explanation =
        "A file is given as PROFILE:PATH. A server without a profile is given as [USER@]HOST:PATH or "
        + "ssh://[USER@]HOST[:PORT]/PATH, and 'local:PATH' is a file on this machine. Relative paths start in the user's "
        + "home directory, as does '~/PATH'. In a URL, PATH is absolute unless it starts with '~/', and special "
        + "characters can be percent-encoded."
    static let patterns =
        "In a path on a server, '*' matches any characters in a file name and '?' matches a single byte, unless a file "
        + "with exactly that name exists; quote patterns to protect them from the shell."

    /// `-`: standard input or output.
    static let standardStream = FileOperand(target: nil, path: "-")

    init(target: String?, path: ByteString) {
        self.target = target
        self.path = path
    }

    /// Parses a word; a word with a slash before the first colon, such as `./a:b`, is a path on this machine, unless it
    /// starts with `@`, as in `@lists/web:/etc`, or is a URL.
    ///
    /// - Throws: `usage` for the home directory of another user, and for a malformed URL.
    init(parsing word: ByteString) throws(VTError) {
        let bytes = word.bytes
        if bytes.starts(with: Destination.scheme.utf8) {
            self = try FileOperand(url: bytes, in: word)
            return
        }
        if bytes.first == UInt8(ascii: "@"), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            self = try FileOperand(target: bytes[..<colon], path: bytes[(colon + 1)...], in: word)
            return
        }
        // The colons of an IPv6 address in brackets do not end the target.
        let start = bytes.firstIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        let hasAddress = start.map { bytes[$0] == UInt8(ascii: "[") && ($0 == 0 || bytes[$0 - 1] == UInt8(ascii: "@")) }
        let addressEnd = hasAddress == true ? bytes.firstIndex(of: UInt8(ascii: "]")) : nil
        let rest = bytes[(addressEnd ?? 0)...]
        guard let colon = rest.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
            bytes[colon] == UInt8(ascii: ":")
        else {
            self.init(target: nil, path: word)
            return
        }
        self = try FileOperand(target: bytes[..<colon], path: bytes[(colon + 1)...], in: word)
    }

    private init(target: ArraySlice<UInt8>, path: ArraySlice<UInt8>, in word: ByteString) throws(VTError) {
        let path = ByteString(path)
        let first = ByteString(path.bytes.prefix { $0 != UInt8(ascii: "/") }).repairedText
        guard !first.hasPrefix("~") || first == "~" else {
            throw VTError(
                .usage,
                "cannot expand '\(first)' in '\(word.repairedText)'",
                hint: "use an absolute path, or './\(first)' for a file with that name"
            )
        }
        self.init(target: ByteString(target).repairedText, path: Self.withoutHome(path))
    }

    /// Parses `ssh://[USER@]HOST[:PORT][/PATH]`; the path of `/~/a` is `a`, in the home directory.
    private init(url: [UInt8], in word: ByteString) throws(VTError) {
        let rest = url.dropFirst(Destination.scheme.utf8.count)
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? url.endIndex
        guard let path = PercentEncoding.decode(url[end...]), !path.contains(0) else {
            throw VTError(.usage, "invalid percent-encoding in '\(word.repairedText)'")
        }
        let isInHome = path.starts(with: "/~".utf8)
        self = try FileOperand(target: url[..<end], path: path[(isInHome ? 1 : 0)...], in: word)
    }

    /// Parses a word that must specify a target.
    ///
    /// - Throws: `usage`.
    static func remote(parsing word: ByteString) throws(VTError) -> FileOperand {
        let operand = try FileOperand(parsing: word)
        guard let target = operand.target, !target.isEmpty else {
            throw VTError(
                .usage,
                "'\(word.repairedText)' does not specify a server",
                hint: "use PROFILE:PATH or [USER@]HOST:PATH"
            )
        }
        return operand
    }

    /// Returns the location of the file, without connecting.
    ///
    /// - Throws: `usage` for `HOST:PORT:PATH`; errors of `PlanResolver.resolve`.
    func place(in context: Context) throws(VTError) -> FileService.Place {
        guard let target else { return .local }
        let parsed = try Target(parsing: target)
        guard let resolved = try context.planResolver().resolve(parsed, options: context.connection) else {
            return .local
        }
        // A profile cannot be followed by a port.
        if resolved.profile == nil { try checkPort(of: target) }
        return .remote(resolved.plan)
    }

    /// Rejects `HOST:PORT:PATH`, whose port would be the start of the path.
    private func checkPort(of target: String) throws(VTError) {
        guard !target.hasPrefix(Destination.scheme), let colon = path.bytes.firstIndex(of: UInt8(ascii: ":")),
            let port = ByteString(path.bytes[..<colon]).text, Destination.parsePort(port) != nil
        else { return }
        let rest = ByteString(path.bytes[(colon + 1)...]).repairedText
        let path = path.repairedText
        throw VTError(
            .usage,
            "the path '\(path)' starts with a port",
            hint:
                "use 'ssh://\(target):\(port)\(rest.hasPrefix("/") ? "" : "/~/")\(rest)', or, for a file of this name, "
                + "'\(target):./\(path)'"
        )
    }

    /// A server's SFTP subsystem starts in the home directory and does not expand `~`.
    private static func withoutHome(_ path: ByteString) -> ByteString {
        var rest = path.bytes[...]
        if path == "~" || rest.starts(with: "~/".utf8) { rest = rest.dropFirst().drop { $0 == UInt8(ascii: "/") } }
        return rest.isEmpty ? "." : ByteString(rest)
    }
}

/// The options for the connections of commands that act on files.
enum FileConnectionOptions {
    static let timeout = Option(
        "timeout",
        .duration,
        summary: "time out if the command has not finished after this time"
    )

    static let options: [any CommandOption] =
        [timeout, SharedOptions.connectTimeout, SharedOptions.noShare] + ConnectionOptions.options
}

extension Context {
    /// Calls `body`, and cancels it after `timeout`; never, if `timeout` is nil.
    ///
    /// - Throws: `timed-out`; errors of `body`.
    func limited<Result: Sendable>(
        to timeout: Duration?,
        _ body: @escaping @Sendable () async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        guard let timeout else { return try await body() }
        let late = VTError(.timedOut, "the command did not finish within \(timeout.shortText) (--timeout)")
        return try await withTimeout(timeout, on: world.clock, throwing: late, body)
    }
}

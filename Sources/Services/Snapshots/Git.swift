import Core
import Glibc
import Runtime
import System

/// Runs git with a git directory of vt's own and a directory tree as its work tree.
///
/// Neither the user's repository nor the user's configuration is used, so no hook, filter or other program of the user
/// runs. The variables are described in git(1).
struct Git: Sendable {
    private let machine: any CommandHost
    private let environment: Environment
    /// The path of the git directory.
    let directory: String
    /// The absolute path of the tree.
    let tree: String

    /// More than the names of the files of any tree that `TreeCapture` accepts.
    private static let outputLimitBytes = 1 << 30
    private static let errorLimitBytes = 4096
    /// git compares each file with each path, so that many paths cost more than they save.
    private static let pathsLimitBytes = 1024

    init(_ machine: any CommandHost, _ environment: Environment, directory: String, tree: String) {
        self.machine = machine
        self.environment = environment
        self.directory = directory
        self.tree = tree
    }

    /// Runs a git command with an index of the git directory, and passes its output to the sink.
    ///
    /// `accepts` are the exit statuses that do not mean a failure.
    ///
    /// - Throws: `not-found` when git is not installed; `io` when git fails, with its message.
    func run(
        _ words: [ByteString],
        index: String = "index",
        input: [UInt8] = [],
        accepts: Set<UInt32> = [0],
        to sink: any ByteSink
    ) async throws(VTError) {
        let result = try await start(words, try variables(index), directory: tree, input: input, sink)
        guard let code = result.status.code, accepts.contains(code) else { throw Self.failure(words, result.message) }
    }

    /// Runs a git command and returns its output.
    func output(
        _ words: [ByteString],
        index: String = "index",
        input: [UInt8] = [],
        accepts: Set<UInt32> = [0]
    ) async throws(VTError) -> [UInt8] {
        let sink = BoundedSink(limitBytes: Self.outputLimitBytes)
        try await run(words, index: index, input: input, accepts: accepts, to: sink)
        guard !sink.isCut else { throw VTError(.system, "the tree has too many files") }
        return sink.bytes
    }

    /// Runs a git command that prints the ID of an object.
    func objectID(_ words: [ByteString], index: String = "index") async throws(VTError) -> String {
        let output = try await output(words, index: index)
        let text = String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard text.utf8.count >= 40 else { throw Self.unexpectedOutput(words.first?.repairedText ?? "") }
        return text
    }

    /// Runs a git command that only reads the user's repository that contains the tree, or another directory; nil if it
    /// fails.
    ///
    /// The user's configuration applies, except that no programs in it are run.
    func userOutput(_ words: [ByteString], in directory: String? = nil) async throws(VTError) -> [UInt8]? {
        let sink = BoundedSink(limitBytes: Self.outputLimitBytes)
        let safe: [ByteString] = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
        let variables = ["GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C"]
        let result = try await start(safe + words, variables, directory: directory ?? tree, input: [], sink)
        guard case .exited(0) = result.status, !sink.isCut else { return nil }
        return sink.bytes
    }

    /// Starts `git gc`, and returns without waiting for it.
    ///
    /// The lock of the given descriptor, which becomes its standard input, is held until git exits, even if this process
    /// ends before.
    func startCollection(_ options: [ByteString], holding lock: CInt? = nil) throws(VTError) -> ChildProcess {
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        let words: [ByteString] = ["gc", "--quiet"]
        let plan = SpawnPlan(
            arguments: ["git"] + words + options,
            environment: environment.words.filter { !Self.isGitVariable($0) }
                + (try variables("index")).map { ByteString($0) },
            directory: directory
        )
        return try ChildProcess.spawn(
            plan,
            on: .descriptors(input: lock ?? null.number, output: null.number, errorOutput: null.number)
        )
    }

    /// The paths in output that ends each with NUL.
    static func paths(_ output: [UInt8]) -> [ByteString] {
        output.split(separator: 0).map { ByteString($0) }
    }

    /// The words that limit a command to some paths; none if there are too many of them, which does not limit it.
    static func limit(to paths: [ByteString]) -> [ByteString] {
        paths.reduce(0) { $0 + $1.bytes.count + 1 } <= pathsLimitBytes ? ["--"] + paths : []
    }

    // MARK: -

    private func start(
        _ words: [ByteString],
        _ variables: [String],
        directory: String,
        input: [UInt8],
        _ sink: any ByteSink
    ) async throws(VTError) -> (status: ExitStatus, message: String) {
        var settings: [EnvironmentVariable] = []
        for variable in variables { settings.append(try EnvironmentVariable(variable)) }
        var request = ExecRequest(.arguments(["git"] + words), directory: directory, environment: settings)
        // They could name another repository, or change what git does.
        request.removedVariables = Set(
            environment.words.filter(Self.isGitVariable).compactMap { word in
                ByteString(word.bytes.prefix { $0 != UInt8(ascii: "=") }).text
            }
        )
        let errors = BoundedSink(limitBytes: Self.errorLimitBytes)
        let streams = ProgramStreams(input: BytesSource(input), output: sink, errorOutput: errors)
        do throws(VTError) {
            return (try await machine.run(request, streams: streams), errors.text)
        } catch {
            guard error.startStatus != nil else { throw error }
            throw VTError(
                .notFound,
                "cannot run git: \(error.message)",
                hint: "snapshots need git on the machine of the session"
            )
        }
    }

    private func variables(_ index: String) throws(VTError) -> [String] {
        [
            "GIT_DIR=\(directory)", "GIT_WORK_TREE=\(tree)", "GIT_INDEX_FILE=\(directory)/\(index)",
            "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0",
            "GIT_NO_REPLACE_OBJECTS=1", "GIT_PAGER=cat", "LC_ALL=C",
        ]
    }

    private static func isGitVariable(_ word: ByteString) -> Bool {
        word.bytes.starts(with: Array("GIT_".utf8))
    }

    private static func failure(_ words: [ByteString], _ message: String) -> VTError {
        let line = message.split(separator: "\n").first { !$0.isEmpty }.map(String.init)
        let command = words.first { !$0.bytes.starts(with: Array("-".utf8)) }?.repairedText ?? ""
        return VTError(.io, "git \(command) failed" + (line.map { ": \($0)" } ?? ""))
    }

    static func unexpectedOutput(_ command: String) -> VTError {
        VTError(.protocolViolation, "git \(command) printed an unexpected result")
    }
}

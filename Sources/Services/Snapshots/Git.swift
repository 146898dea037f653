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
    private let clock: any Clock<Duration>
    /// The path of the git directory.
    let directory: String
    /// The absolute path of the tree.
    let tree: String
    /// The directory for new objects; nil for that of the git directory.
    private var newObjects: String?

    /// More than the names of the files of any tree that `TreeCapture` accepts.
    private static let outputLimitBytes = 1 << 30
    private static let errorLimitBytes = 4096
    /// git compares each file with each path, so that many paths cost more than they save.
    private static let pathsLimitBytes = 1024

    /// How long a command may take that reads no contents of files.
    private static let timeout = Duration.seconds(120)
    /// What a slow disk reads or writes in a second.
    private static let bytesPerSecond: UInt64 = 1 << 20

    init(
        _ machine: any CommandHost,
        _ environment: Environment,
        clock: any Clock<Duration>,
        directory: String,
        tree: String
    ) {
        self.machine = machine
        self.environment = environment
        self.clock = clock
        self.directory = directory
        self.tree = tree
    }

    /// The same, but new objects are written to a directory of their own.
    func storing(in newObjects: String) -> Git {
        var git = self
        git.newObjects = newObjects
        return git
    }

    /// Runs a git command with an index of the git directory, and passes its output to the sink.
    ///
    /// `workTree` is the directory with the rules that apply to the tree, which it contains; nil for the tree.
    /// `accepts` are the exit statuses that do not mean a failure. `contentBytes` is how much it reads or writes.
    ///
    /// - Throws: `not-found` when git is not installed; `io` when git fails, with its message; `timed-out`.
    func run(
        _ words: [ByteString],
        index: String = "index",
        workTree: ByteString? = nil,
        input: [UInt8] = [],
        accepts: Set<UInt32> = [0],
        contentBytes: UInt64 = 0,
        to sink: any ByteSink
    ) async throws(VTError) {
        let variables = try variables(index, workTree: workTree)
        let result = try await start(words, variables, contentBytes: contentBytes, input: input, sink)
        guard let code = result.status.code, accepts.contains(code) else { throw Self.failure(words, result.message) }
    }

    /// Runs a git command and returns its output.
    func output(
        _ words: [ByteString],
        index: String = "index",
        workTree: ByteString? = nil,
        input: [UInt8] = [],
        accepts: Set<UInt32> = [0],
        contentBytes: UInt64 = 0
    ) async throws(VTError) -> [UInt8] {
        let sink = BoundedSink(limitBytes: Self.outputLimitBytes)
        try await run(
            words,
            index: index,
            workTree: workTree,
            input: input,
            accepts: accepts,
            contentBytes: contentBytes,
            to: sink
        )
        guard !sink.isCut else { throw VTError(.system, "the tree has too many files") }
        return sink.bytes
    }

    /// Stores the tree in an index file; returns its object ID.
    func writeTree(index: String) async throws(VTError) -> String {
        let output = try await output(["write-tree"], index: index)
        let text = String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard text.utf8.count >= 40 else { throw Self.unexpectedOutput("write-tree") }
        return text
    }

    /// Runs a git command that only reads a repository of the user, in a directory of its work tree; nil if it fails.
    ///
    /// The user's configuration applies, except that no programs in it are run. The repository can belong to another
    /// user, because it is named.
    ///
    /// - Throws: `data.invalid` for a file that git would wait for; `timed-out`.
    func userOutput(
        _ words: [ByteString],
        of repository: UserRepository,
        in directory: ByteString
    ) async throws(VTError) -> [UInt8]? {
        try repository.check()
        let sink = BoundedSink(limitBytes: Self.outputLimitBytes)
        let names: [ByteString] = [
            "-C", directory, "--git-dir=" + repository.gitDirectory, "--work-tree=" + repository.workTree,
            "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
        ]
        let variables = ["GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C"]
        let result = try await start(names + words, variables, input: [], sink)
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
        contentBytes: UInt64 = 0,
        input: [UInt8],
        _ sink: any ByteSink
    ) async throws(VTError) -> (status: ExitStatus, message: String) {
        var settings: [EnvironmentVariable] = []
        for variable in variables { settings.append(try EnvironmentVariable(variable)) }
        var request = ExecRequest(.arguments(["git"] + words), directory: tree, environment: settings)
        // They could name another repository, or change what git does.
        request.removedVariables = Set(
            environment.words.filter(Self.isGitVariable).compactMap { word in
                ByteString(word.bytes.prefix { $0 != UInt8(ascii: "=") }).text
            }
        )
        let errors = BoundedSink(limitBytes: Self.errorLimitBytes)
        let streams = ProgramStreams(input: BytesSource(input), output: sink, errorOutput: errors)
        let timeout = Self.timeout + .seconds(Int64(clamping: contentBytes / Self.bytesPerSecond))
        let late = VTError(.timedOut, "git \(Self.command(words)) did not exit within \(timeout.shortText)")
        let call = request
        do throws(VTError) {
            let status = try await withTimeout(timeout, on: clock, throwing: late) { () async throws(VTError) in
                try await machine.run(call, streams: streams)
            }
            return (status, errors.text)
        } catch {
            guard error.startStatus != nil else { throw error }
            throw VTError(
                .notFound,
                "cannot run git: \(error.message)",
                hint: "snapshots need git on the machine of the session"
            )
        }
    }

    private func variables(_ index: String, workTree: ByteString? = nil) throws(VTError) -> [String] {
        let objects = newObjects.map {
            ["GIT_OBJECT_DIRECTORY=\($0)", "GIT_ALTERNATE_OBJECT_DIRECTORIES=\(Self.quoted("\(directory)/objects"))"]
        }
        return (objects ?? []) + [
            "GIT_DIR=\(directory)", "GIT_WORK_TREE=\(workTree?.text ?? tree)", "GIT_INDEX_FILE=\(directory)/\(index)",
            "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0",
            "GIT_NO_REPLACE_OBJECTS=1", "GIT_PAGER=cat", "LC_ALL=C",
        ]
    }

    private static func isGitVariable(_ word: ByteString) -> Bool {
        word.bytes.starts(with: Array("GIT_".utf8))
    }

    /// A path in a list of paths that are separated by colons, quoted like a string of C (git(1)).
    private static func quoted(_ path: String) -> String {
        "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func failure(_ words: [ByteString], _ message: String) -> VTError {
        let line = message.split(separator: "\n").first { !$0.isEmpty }.map(String.init)
        return VTError(.io, "git \(command(words)) failed" + (line.map { ": \($0)" } ?? ""))
    }

    private static func command(_ words: [ByteString]) -> String {
        let commands: Set<ByteString> = ["config", "ls-files"]
        let command = words.first { commands.contains($0) } ?? words.first { $0.bytes.first != UInt8(ascii: "-") }
        return command?.repairedText ?? ""
    }

    static func unexpectedOutput(_ command: String) -> VTError {
        VTError(.protocolViolation, "git \(command) printed an unexpected result")
    }
}

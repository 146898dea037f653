import Core
import Runtime
import System

/// The installation of one program on one server.
struct Installation: Sendable {
    /// The destination, and the file that is there now.
    struct Place: Sendable {
        var path: String
        var isThere: Bool
        /// The SHA-256 digest of the existing file; nil unless it is an executable file.
        var sha256: String?
    }

    /// The name of the server.
    let name: String
    /// The path of the program on this machine.
    let source: String
    let program: [UInt8]
    let machine: ELFImage.Machine
    let sha256: String
    let host: any RemoteHost
    let clock: any Clock<Duration>

    private static let outputLimitBytes = 64 * 1024
    /// The timeout for each step but the upload; enough to read the program from a slow disk.
    private static let timeout = Duration.seconds(60)

    /// Determines the destination, and checks that the program was built for the server's type of machine.
    ///
    /// A relative path is relative to the remote home directory.
    func findPlace(_ path: String) async throws(VTError) -> Place {
        let (status, output, errors) = try await run(InstallScript.examination(of: path))
        guard status != .exited(InstallScript.homelessStatus) else {
            throw VTError(
                .cannotCreate,
                "there is no home directory on '\(name)', because HOME is not set",
                hint: "specify an absolute path with --path"
            )
        }
        let lines = output.split(separator: "\n").suffix(4).map(String.init)
        guard status.isSuccess, lines.count == 4, lines[2].hasPrefix("/") else {
            // nologin(8) prints its reason to standard output.
            let causes = errors.isEmpty ? lines : errors
            throw VTError(
                .system,
                "cannot determine the system type of '\(name)'\(Self.reason(causes))",
                hint: "to see what the server prints, use 'vt exec \(name) -- uname -sm'",
                causes: causes
            )
        }
        guard lines[0] == "Linux", machine.mayRun(on: lines[1]) else {
            throw VTError(
                .dataInvalid,
                "the program is for Linux \(machine.name), "
                    + "but '\(name)' runs \(lines[0]) \(lines[1])",
                hint: "specify a vt built for that system with --file"
            )
        }
        guard lines[3] != "directory" else {
            throw VTError(
                .cannotCreate,
                "'\(lines[2])' on '\(name)' is a directory",
                hint: "specify a file with --path"
            )
        }
        guard lines[3] != "special" else {
            throw VTError(
                .cannotCreate,
                "'\(lines[2])' on '\(name)' is not a regular file",
                hint: "specify another path with --path"
            )
        }
        let sum = lines[3].prefix { $0 != " " }
        return Place(path: lines[2], isThere: lines[3] != "none", sha256: sum.utf8.count == 64 ? String(sum) : nil)
    }

    /// Uploads the program to a new file, creating missing directories.
    func send(to path: String, progress: @escaping @Sendable (Int, Int) -> Void) async throws(VTError) {
        let source = BytesSource(program, progress: progress)
        let (status, _, errors) = try await perform(
            InstallScript.sending(to: path, sizeBytes: program.count),
            input: source
        )
        guard !status.isSuccess else { return progress(program.count, program.count) }
        let reason = errors.last ?? status.phrase
        guard case .exited(InstallScript.SendFailure.notCreated.rawValue) = status else {
            throw VTError(
                .io,
                "cannot write '\(path)' on '\(name)': \(reason)",
                hint:
                    "vt exec \(name) -- df -h \(ByteString(FileContents.directory(of: path)).shellQuoted.repairedText)",
                causes: errors
            )
        }
        throw VTError(
            .cannotCreate,
            "cannot create '\(path)' on '\(name)': \(reason)",
            hint: "specify another path with --path",
            causes: errors
        )
    }

    /// Removes a file; does nothing if it does not exist.
    func remove(_ path: String) async throws(VTError) {
        _ = try await run(InstallScript.removing(path))
    }

    /// Verifies, runs and renames the file on the server; returns the program's version.
    func finish(_ temporary: String, at place: Place) async throws(VTError) -> String {
        let (status, output, errors) = try await run(
            InstallScript.finishing(temporary, as: place.path, sha256: sha256)
        )
        return try version(status, output, at: place, causes: errors)
    }

    /// The version of the existing program.
    func version(at place: Place) async throws(VTError) -> String {
        let (status, output, errors) = try await run(InstallScript.version(of: place.path))
        return try version(status, output, at: place, causes: errors)
    }

    func report(_ outcome: InstallReport.Outcome, at place: Place, version: String) -> InstallReport {
        InstallReport(
            server: name,
            outcome: outcome,
            path: place.path,
            version: version,
            sizeBytes: program.count,
            sha256: sha256
        )
    }

    // MARK: -

    private typealias Outcome = (ExitStatus, output: String, errors: [String])

    /// Runs a script that soon ends unless something on the server, such as a ForceCommand, runs in its place.
    private func run(_ request: ExecRequest) async throws(VTError) -> Outcome {
        let late = VTError(
            .timedOut,
            "'\(name)' did not answer within \(Self.timeout.shortText)",
            hint: "to see what the server prints, use 'vt exec \(name) -- uname -sm'"
        )
        return try await withTimeout(Self.timeout, on: clock, throwing: late) { () async throws(VTError) in
            try await perform(request, input: BytesSource())
        }
    }

    private func perform(_ request: ExecRequest, input: any ByteSource) async throws(VTError) -> Outcome {
        let output = BoundedSink(limitBytes: Self.outputLimitBytes)
        let errors = BoundedSink(limitBytes: Self.outputLimitBytes)
        let streams = ProgramStreams(input: input, output: output, errorOutput: errors)
        let status = try await host.run(request, streams: streams).known(on: name)
        return (status, output.text, errors.text.split(separator: "\n").map(String.init))
    }

    /// The version in the output of a script that has run the program.
    ///
    /// - Throws: the failure that the script's status identifies.
    private func version(
        _ status: ExitStatus,
        _ output: String,
        at place: Place,
        causes: [String]
    ) throws(VTError) -> String {
        guard !status.isSuccess else {
            let line = output.split(separator: "\n").last ?? ""
            return String(line.hasPrefix("vt ") ? line.dropFirst(3) : line)
        }
        guard case .exited(let code) = status, let failure = InstallScript.Failure(rawValue: code) else {
            throw VTError(.system, "the installation did not finish on '\(name)'", causes: causes)
        }
        throw self.failure(failure, at: place, causes: causes)
    }

    /// The last line that the server printed, as the end of a message.
    private static func reason(_ lines: [String]) -> String {
        lines.last.map { ": \($0)" } ?? ""
    }

    private func failure(_ failure: InstallScript.Failure, at place: Place, causes: [String]) -> VTError {
        switch failure {
        case .unverified:
            VTError(
                .system,
                "cannot verify the file on '\(name)'",
                hint: "to see the reason, use 'vt exec \(name) -- sha256sum --version'",
                causes: causes
            )
        case .damaged:
            VTError(.io, "the file that arrived on '\(name)' differs from the one that was sent", causes: causes)
        case .doesNotRun:
            VTError(
                .system,
                "the program does not run on '\(name)'\(Self.reason(causes))",
                hint: "the program might not be vt, or need libraries or a /proc that the server lacks",
                causes: causes
            )
        case .notExecutable:
            VTError(
                .system,
                "programs in '\(FileContents.directory(of: place.path))' cannot be executed on '\(name)'",
                hint: "the file system might be mounted with noexec; specify another path with --path",
                causes: causes
            )
        case .isNotVT:
            VTError(
                .dataInvalid,
                "'\(source)' is not vt: 'version' does not print a version of vt",
                hint: "specify a vt with --file",
                causes: causes
            )
        case .notRenamed:
            VTError(
                .cannotCreate,
                "cannot replace '\(place.path)' on '\(name)'\(Self.reason(causes))",
                hint: "specify another path with --path",
                causes: causes
            )
        }
    }
}

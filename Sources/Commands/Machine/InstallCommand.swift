import Arguments
import Core
import Services

/// Installs vt on a server: `vt install PROFILE`.
package struct InstallCommand: Command {
    package static let path = ["install"]

    package static let spec = CommandSpec(
        path,
        summary: "install vt on a server",
        description: [
            "Sessions on a server require vt to be installed there. This command uploads the running vt, or FILE, "
                + "over SFTP under a temporary name, verifies its SHA-256 checksum and runs it on the server, and "
                + "only then renames it into place. If any step fails, the previous vt is kept; running sessions are "
                + "not affected.",
            "The running vt can be installed if it is a static executable, as every release build is. It runs on any "
                + "Linux of the same architecture, whatever its C library. If the same file is already installed, "
                + "nothing is uploaded.",
            "vt is looked up in ~/.local/bin, and then on the PATH that the server sets for commands; a vt installed "
                + "elsewhere with --path should be in a directory on that PATH.",
        ],
        operands: [OperandSpec("PROFILE", completion: .profile)],
        options: [
            OptionSpec(
                "file",
                value: ValueSpec("FILE", completion: .file),
                summary: "install this file instead of the running vt"
            ),
            OptionSpec(
                "path",
                value: ValueSpec("PATH", defaultText: "~/\(RemoteVTCommand.homePath)"),
                summary: "install to this path; relative paths start at the home directory on the server"
            ),
            OptionSpec("force", summary: "upload the file even if the same file is already installed"),
            .connectTimeout,
            .noShare,
        ],
        examples: [
            ExampleSpec("vt install web", "install this vt on the server 'web'"),
            ExampleSpec("vt install arm --file vt-aarch64", "install a vt built for another architecture"),
        ],
        files: FileSpec.ofConnections,
        exitCodes: VTError.Code.ofConnections + [.cannotCreate]
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    private let target: Target
    private let file: String?
    private let path: String
    private let force: Bool
    private let plan: PlanOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        target = try arguments.operand("PROFILE") { text throws(VTError) in try Target(parsing: text) }
        file = arguments.value("file")
        path = try arguments.value("path", parse: Self.path) ?? RemoteVTCommand.homePath
        force = arguments.flag("force")
        var plan = PlanOptions()
        plan.connectTimeout = try arguments.duration("connect-timeout")
        if arguments.flag("no-share") { plan.shareTimeout = .zero }
        self.plan = plan
    }

    package func signalHandling(on console: Console) -> SignalHandling { .cancel }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        guard let (_, plan) = try context.planResolver().resolve(target, options: plan) else {
            throw VTError(
                .usage,
                "cannot install vt on this machine: it is already running here",
                hint: "specify a server"
            )
        }
        let service = context.installService()
        let request = InstallRequest(plan: plan, file: file, path: path, force: force)
        let diagnostics = context.diagnostics
        let report = try await service.install(request) { sent, total in
            diagnostics.progress("sending to \(plan.name): \(Self.share(of: sent, in: total))")
        }
        try context.profileService().noteConnections(to: [plan.name], diagnostics: context.diagnostics)
        try context.show(Document(report, on: plan)) { Self.text(report, on: plan) }
        return 0
    }

    // MARK: - Arguments

    private static func path(_ text: String) throws(VTError) -> String {
        guard !text.isEmpty, !text.hasSuffix("/"), !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw VTError(.usage, "invalid file path '\(text)'")
        }
        return text
    }

    // MARK: - Output

    private static func share(of sent: Int, in total: Int) -> String {
        "\(total == 0 ? 100 : sent * 100 / total)% of \((total + (1 << 19)) >> 20) MiB"
    }

    private static func text(_ report: InstallReport, on plan: ConnectionPlan) -> String {
        let (path, version, name) = (report.path.sanitized, report.version.sanitized, plan.name.sanitized)
        return switch report.outcome {
        case .installed: "installed vt \(version) on '\(name)' as \(path)"
        case .replaced: "installed vt \(version) on '\(name)' as \(path), replacing another file"
        case .unchanged: "vt \(version) is already installed on '\(name)' as \(path)"
        }
    }

    struct Document: Encodable {
        let profile: String
        let outcome: String
        let path: String
        let version: String
        let size: Int
        let sha256: String

        init(_ report: InstallReport, on plan: ConnectionPlan) {
            profile = plan.name
            outcome = report.outcome.rawValue
            path = report.path
            version = report.version
            size = report.sizeBytes
            sha256 = report.sha256
        }
    }
}

extension InstallCommand.Document: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case profile, outcome, path, version, size, sha256
    }

    static let documentName = "installation"
    static let documentSummary = "an installation of vt on a server"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .profile: JSONField(\Self.profile, "profile or server")
        case .outcome:
            JSONField(\Self.outcome, of: InstallReport.Outcome.self, "`unchanged`: the same file was already there")
        case .path: JSONField(\Self.path, "absolute path on the server")
        case .version: JSONField(\Self.version, "version that the installed vt reports")
        case .size: JSONField(\Self.size, "size of the file", in: .bytes)
        case .sha256: JSONField(\Self.sha256, "SHA-256 checksum of the file, in hexadecimal")
        }
    }
}

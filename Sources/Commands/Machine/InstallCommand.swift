import Arguments
import Core
import POSIX
import Services

/// Puts vt on a server: `vt install PROFILE`.
package struct InstallCommand: Command {
    package static let spec = CommandSpec(
        ["install"],
        summary: "put vt on a server",
        description: [
            "Sessions of a server need vt there. This sends the running vt, or FILE, over SFTP to a temporary name, lets "
                + "the server compare its SHA-256 and run it, and only then gives it its name, in one step: whatever "
                + "goes wrong, the vt that was there before still stands, and sessions that run go on with it.",
            "The running vt can be sent when it needs nothing but the C library, as 'make portable' builds it. It has "
                + "to be for the server's kind of machine, and for a C library that is no newer than the server's. "
                + "Where the same file is there already, nothing is sent.",
            "vt is looked for in ~/.local/bin, and then on the PATH that the server gives to commands; another --path "
                + "should be on that.",
        ],
        operands: [OperandSpec("PROFILE", completion: .profile)],
        options: [
            OptionSpec(
                "file",
                value: ValueSpec("FILE", completion: .file),
                summary: "send this file instead of the running vt"
            ),
            OptionSpec(
                "path",
                value: ValueSpec("PATH", defaultText: "~/\(RemoteVTCommand.homePath)"),
                summary: "put it there; relative to the home directory on the server"
            ),
            OptionSpec("force", summary: "send it even where the same file is there already"),
            OptionSpec(
                "connect-timeout",
                value: ValueSpec("DURATION", defaultText: "15s"),
                summary: "give up when the server has not let us in after this time"
            ),
        ],
        examples: [
            ExampleSpec("vt install web", "put this vt on the server 'web'"),
            ExampleSpec("vt install arm --file vt-aarch64", "put one there that was built for its kind of machine"),
        ],
        exitCodes: [
            .dataInvalid, .notFound, .hostUnresolved, .hostUnreachable, .system, .cannotCreate, .io,
            .protocolViolation, .authDenied, .hostKeyChanged, .hostKeyUnknown, .config,
        ]
    )

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
        plan.connectTimeout = try arguments.value("connect-timeout") { text throws(VTError) in
            try Duration(parsing: text)
        }
        self.plan = plan
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let interrupts = try Interrupts()
        guard let (_, plan) = try context.services.planResolver().resolve(target, options: plan) else {
            throw VTError(.usage, "vt runs here already", hint: "name a server")
        }
        let service = try context.services.installService(context.diagnostics)
        let request = InstallRequest(plan: plan, file: file, path: path, force: force)
        let diagnostics = context.diagnostics
        let (result, signal) = await interrupts.run { () async throws(VTError) in
            try await service.install(request) { sent, total in
                diagnostics.progress("sending to \(plan.name): \(Self.share(of: sent, in: total))")
            }
        }
        if let signal { SignalThread.die(of: signal) }
        let report = try result.get()
        try context.services.profileService().noteConnections(to: [plan.name], diagnostics: context.diagnostics)
        try context.show(Document(report, on: plan)) { Self.text(report, on: plan) }
        return 0
    }

    // MARK: - Words

    private static func path(_ text: String) throws(VTError) -> String {
        guard !text.isEmpty, !text.hasSuffix("/"), !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw VTError(.usage, "'\(text)' is not the path of a file")
        }
        return text
    }

    // MARK: - Output

    private static func share(of sent: Int, in total: Int) -> String {
        "\(total == 0 ? 100 : sent * 100 / total) % of \((total + (1 << 19)) >> 20) MiB"
    }

    private static func text(_ report: InstallReport, on plan: ConnectionPlan) -> String {
        let (path, version, name) = (report.path.sanitized, report.version.sanitized, plan.name.sanitized)
        return switch report.outcome {
        case .installed: "installed vt \(version) on '\(name)' as \(path)"
        case .replaced: "installed vt \(version) on '\(name)' as \(path), in the place of another one"
        case .unchanged: "vt \(version) is on '\(name)' already, as \(path)"
        }
    }

    private struct Document: Encodable {
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

import Arguments
import Core
import Services

/// Installs vt on servers: `vt install PROFILE...`.
package enum InstallCommand: Command {
    private static let profiles = Operand("PROFILE", completion: .target)
        .list(.oneOrMore, omittedWith: TargetOptions.replacements)
    private static let file = Option("file", .file, summary: "install this file instead of the running vt")
    private static let path = Option(
        "path",
        ValueKind("PATH", parse: filePath),
        default: "~/\(RemoteVTCommand.homePath)",
        summary: "install to this path; a relative path is relative to the home directory on the server"
    )
    private static let force = Option.flag(
        "force",
        summary: "upload the file even if the same file is already installed"
    )

    package static let spec = CommandSpec(
        ["install"],
        summary: "install vt on one or many servers",
        description: [
            "Copies the running vt, or FILE, to servers, so that they can have sessions. The previous vt is replaced "
                + "only after the server has verified the SHA-256 checksum and run the new one; running sessions are "
                + "not affected.",
            TargetOptions.explanation,
            "# Which vt",
            "The running vt can be installed if it is a static executable, as every release build is. It runs on any "
                + "Linux system with the same architecture, regardless of its C library. If the same file is already "
                + "installed, nothing is uploaded.",
            "# Where",
            "On a server, vt is looked up in ~/.local/bin, and then on the PATH that the server sets for commands; a "
                + "vt installed elsewhere with --path should be in a directory on that PATH.",
        ],
        operands: [profiles],
        options: [file, path, force, SharedOptions.connectTimeout, SharedOptions.noShare] + TargetOptions.profileOptions
            + TargetOptions.options + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt install web", "install this vt on the server 'web'"),
            ExampleSpec("vt install --tag prod", "install this vt on all servers with a tag"),
            ExampleSpec("vt install arm --file vt-aarch64", "install a vt built for another architecture"),
        ],
        exitCodes: VTError.Code.ofConnections + [.cannotCreate, .negative]
    )

    package static var documents: [DocumentSpec] {
        [
            .document(InstallReport.self, when: "with one server"),
            .document([ServerResult<InstallReport>].self, when: "with several servers"),
        ]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try TargetOptions.ofProfiles(call, words: call[profiles])
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (file, force) = (call[Self.file], call[Self.force])
        let path = call[Self.path] ?? RemoteVTCommand.homePath
        let plans = try await plans(call, in: context)
        let context = context.groupingNotes(of: plans.map(\.name))
        let service = InstallService(context.world)
        let outcomes = await plans.outcomes(limit: parallel) { plan throws(VTError) in
            try await service.install(file, as: path, on: plan, force: force) { sent, total in
                context.diagnostics.progress("sending to \(plan.name): \(share(of: sent, in: total))")
            }
        }
        return try context.show(outcomes, of: plans.map(\.name), text: text)
    }

    /// The maximum number of servers to send to at once; each transfer keeps a copy of the program in memory.
    private static let parallel = 8

    private static func plans(_ call: Call, in context: Context) async throws(VTError) -> [ConnectionPlan] {
        let resolver = try context.planResolver()
        var plans: [ConnectionPlan] = []
        let targets = try TargetOptions.ofProfiles(call, words: call[profiles])
        for target in try await targets.targets(in: context) {
            guard let (_, plan) = try resolver.resolve(target, options: context.connection) else {
                throw VTError(
                    .usage,
                    "cannot install vt on this machine: it is already running here",
                    hint: "specify a server"
                )
            }
            plans.append(plan)
        }
        return plans
    }

    // MARK: - Arguments

    private static func filePath(_ text: String) throws(VTError) -> String {
        guard !text.isEmpty, !text.hasSuffix("/"), !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw VTError(.usage, "invalid file path '\(text)'")
        }
        return text
    }

    // MARK: - Output

    private static func text(_ report: InstallReport) -> String {
        let (path, version, name) = (report.path.sanitized, report.version.sanitized, report.server.sanitized)
        return switch report.outcome {
        case .installed: "installed vt \(version) on '\(name)' as \(path)"
        case .replaced: "installed vt \(version) on '\(name)' as \(path), replacing another file"
        case .unchanged: "vt \(version) is already installed on '\(name)' as \(path)"
        }
    }

    private static func share(of sent: Int, in total: Int) -> String {
        "\(total == 0 ? 100 : sent * 100 / total)% of \((total + (1 << 19)) >> 20) MiB"
    }
}

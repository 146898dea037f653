import Arguments
import Core
import Runtime
import Services

/// Checks the requirements for sessions: `vt doctor [PROFILE]`.
package enum DoctorCommand: Command {
    private static let target = Operand("PROFILE", completion: .profile, parse: Target.init(parsing:)).optional()

    package static let spec = CommandSpec(
        ["doctor"],
        summary: "check whether sessions work and survive a logout",
        description: [
            "Checks whether this machine, or the server of PROFILE or [USER@]HOST[:PORT], meets the requirements for sessions: the saved "
                + "profiles, vt's directories and their permissions, the socket paths, the disk space for logs, "
                + "terminals, the SSH agent, and whether (and why) a session started now would survive its user's "
                + "logout. A server must have vt installed. Nothing is changed.",
            "Each line starts with 'ok', 'warn' or 'fail'. The exit status is 1 if any check failed.",
        ],
        operands: [target],
        options: [SharedOptions.connectTimeout] + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt doctor", "check this machine"),
            ExampleSpec(
                "vt doctor web --json | jq -r '.checks[] | select(.check == \"survival\") | .detail'",
                "print whether sessions on a server survive a logout"
            ),
        ],
        exitCodes: VTError.Code.ofConnections + [.negative]
    )

    package static var documents: [DocumentSpec] {
        [.document(FindingsDocument.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let target = call[Self.target] ?? .local
        let document: FindingsDocument
        var options = context.connection
        options.shareTimeout = .zero
        if target == .local { try context.checkConnection() }
        if let (_, plan) = try target == .local ? nil : context.planResolver().resolve(target, options: options) {
            document = FindingsDocument(try await findings(on: plan, in: context), of: plan.name)
        } else {
            document = FindingsDocument(try await DoctorService(context.world).findings(version: Release.version))
        }
        try context.show(document) { text(document) }
        return document.ok ? 0 : .failure(.negative)
    }

    /// Runs the checks on a server, with the vt that is installed there.
    private static func findings(on plan: ConnectionPlan, in context: Context) async throws(VTError) -> [Finding] {
        let client = SessionClient(try context.remoteSessions(plan))
        let findings = try await withCleanup(client.close) { () async throws(VTError) in
            try await client.call(DoctorRequest())
        }
        try context.profileService().recordConnections(to: [plan.name], diagnostics: context.diagnostics)
        return findings.map { comparingVersions($0, on: plan) }
    }

    /// Turns the finding about vt into a warning if the server has a different version, which might be incompatible.
    private static func comparingVersions(_ finding: Finding, on plan: ConnectionPlan) -> Finding {
        guard finding.check == "vt", finding.detail != Release.version else { return finding }
        let detail = "\(finding.detail); this machine has \(Release.version)"
        return Finding("vt", .warn, detail, hint: "to install it, use 'vt install \(plan.target)'")
    }

    private static func text(_ document: FindingsDocument) -> String {
        let prefix = document.profile.map { "\($0): " } ?? ""
        return document.checks.map { row in
            let verdict = row.verdict.rawValue
            let padding = String(repeating: " ", count: 5 - verdict.utf8.count)
            let hint = row.hint.map { "; hint: \($0)" } ?? ""
            return "\(prefix)\(verdict)\(padding)\(row.check): \(row.detail)\(hint)".sanitized
        }.joined(separator: "\n")
    }
}

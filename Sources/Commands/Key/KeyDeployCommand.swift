import Arguments
import Core
import Services

/// Adds a key to the authorized_keys file of servers: `vt key deploy PROFILE...`.
package enum KeyDeployCommand: Command {
    private static let profiles = Operand("PROFILE", completion: .target)
        .list(.oneOrMore, omittedWith: TargetOptions.replacements)
    private static let key = Option(
        "key",
        .text("NAME", completion: .key),
        summary: "deploy this key",
        details: "The default is the key that the profile uses or, if it uses none, the only key that vt keeps."
    )
    private static let noVerify = Option.flag("no-verify", summary: "do not log in with the key")

    package static let spec = CommandSpec(
        ["key", "deploy"],
        summary: "authorize a key on servers",
        description: [
            "Adds a public key to ~/.ssh/authorized_keys on servers, and verifies it by logging in with only this "
                + "key. To use the key from now on, run 'vt profile edit PROFILE --key NAME'.",
            TargetOptions.explanation,
            "# On the server",
            "vt connects with the settings and current credentials of the profile, and creates the file and the "
                + "directory if necessary. A key that is already there, even on a line with options, is not added "
                + "again. The file is replaced atomically and gets mode 0600; symbolic links are followed, and "
                + "concurrent deployments do not overwrite each other's keys. If the login with the key fails, the "
                + "command fails, and the key stays in the file.",
        ],
        operands: [profiles],
        options: [key, noVerify, SharedOptions.connectTimeout] + TargetOptions.profileOptions + TargetOptions.options
            + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt key deploy web", "authorize the only key on the server 'web'"),
            ExampleSpec("vt key deploy --tag prod --key deploy", "authorize a key on all servers with a tag"),
        ],
        exitCodes: VTError.Code.ofConnections + [.cannotCreate, .io, .busy, .negative]
    )

    package static var documents: [DocumentSpec] {
        [
            .document(KeyDeployment.Report.self, when: "with one server"),
            .document([ServerResult<KeyDeployment.Report>].self, when: "with several servers"),
        ]
    }

    /// The maximum number of servers to log in to at once.
    private static let parallel = 32

    package static func check(_ call: Call) throws(VTError) {
        _ = try TargetOptions.ofProfiles(call, words: call[profiles])
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let jobs = try await jobs(call, in: context)
        let context = context.groupingNotes(of: jobs.map(\.plan.name))
        let deployment = KeyDeployment(context.world)
        context.atEnd { await deployment.close() }
        let outcomes = await jobs.outcomes(limit: parallel) { job throws(VTError) in
            try await deployment.deploy(job.key, to: job.plan, verifyingWith: job.login)
        }
        return try context.show(outcomes, of: jobs.map(\.plan.name), text: text)
    }

    private static func text(_ report: KeyDeployment.Report) -> String {
        let place = "\(report.path.sanitized) on '\(report.server.sanitized)'"
        let login = report.isVerified ? ", and can log in" : ""
        return switch report.outcome {
        case .added: "added key '\(report.key.name)' to \(place)\(report.isVerified ? ", and logged in with it" : "")"
        case .present: "key '\(report.key.name)' is already in \(place)\(login)"
        case .restricted: "key '\(report.key.name)' is already in \(place), on a line with options\(login)"
        }
    }

    /// The deployment to one server.
    private struct Job: Sendable {
        var key: StoredKey
        var plan: ConnectionPlan
        /// How to log in with only the key; nil without verification.
        var login: ConnectionPlan?
    }

    private static func jobs(_ call: Call, in context: Context) async throws(VTError) -> [Job] {
        let service = try KeyService(context.world)
        let resolver = try context.planResolver()
        let selected = try call[key].map { name throws(VTError) in try service.key(name) }
        var jobs: [Job] = []
        let targets = try TargetOptions.ofProfiles(call, words: call[profiles])
        for target in try await targets.targets(in: context) {
            guard let (profile, plan) = try resolver.resolve(target, options: context.connection) else {
                throw VTError(.usage, "cannot deploy a key to this machine", hint: "specify a server")
            }
            guard case .ssh = plan else {
                throw VTError(
                    .usage,
                    "cannot deploy a key to '\(plan.name)': it is reached \(plan.transport.phrase)"
                )
            }
            let key = if let selected { selected } else { try service.key(for: profile) }
            var job = Job(key: key, plan: plan)
            if !call[noVerify] {
                var options = context.connection
                options.keepsSettings = false
                (options.identities, options.keyFiles) = (nil, [key.path])
                options.usesAgent = false
                (options.publicKeys, options.preferredMethods) = (nil, AuthenticationMethod.publicKey.rawValue)
                options.shareTimeout = .zero
                job.login = try resolver.resolve(target, options: options)?.plan
            }
            jobs.append(job)
        }
        return jobs
    }
}

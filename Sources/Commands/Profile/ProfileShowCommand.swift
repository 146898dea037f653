import Arguments
import Core
import Services

/// Shows a profile: `vt profile show NAME`.
package struct ProfileShowCommand: Command {
    package static let spec = CommandSpec(
        ["profile", "show"],
        summary: "show a saved server",
        description: ["Fields that are not set are omitted. Secrets are never shown."],
        operands: [OperandSpec("NAME", completion: .profile)],
        examples: [
            ExampleSpec("vt profile show web", "show all fields of a profile"),
            ExampleSpec("vt profile show web --json | jq -r .host", "print the host"),
        ],
        files: [.profiles],
        exitCodes: [.notFound, .system, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document(Profile.self)]
    }

    private let name: String

    package init(_ arguments: ParsedArguments) throws(VTError) {
        name = try arguments.operand("NAME")
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let profile = try context.profileService().profile(name)
        guard !context.global.json else {
            try context.output.json(profile)
            return 0
        }
        var table = TextTable(["FIELD", "VALUE"])
        for (field, value) in Self.rows(profile) { table.add([field, value]) }
        try context.output.table(table)
        return 0
    }

    /// Returns the fields that are set, in the order of `Profile.CodingKeys`.
    private static func rows(_ profile: Profile) -> [(String, String)] {
        let milliseconds: (Int64?) -> String? = { $0.map { Duration.milliseconds($0).shortText } }
        let rows: [(Profile.CodingKeys, String?)] = [
            (.id, profile.id), (.name, profile.name), (.host, profile.host), (.port, String(profile.port)),
            (.user, profile.user), (.identities, list(profile.identities)), (.agent, profile.agent ? "yes" : "no"),
            (.password, text(profile.password)), (.passphrase, text(profile.passphrase)),
            (.secretStore, profile.secretStore?.rawValue), (.jump, profile.jump),
            (.proxyCommand, profile.proxyCommand), (.via, profile.via),
            (.hostKeyPolicy, profile.hostKeyPolicy.rawValue),
            (.knownHosts, profile.knownHosts), (.allowedAlgorithms, list(profile.allowedAlgorithms)),
            (.connectTimeoutMilliseconds, milliseconds(profile.connectTimeoutMilliseconds)),
            (.keepAliveMilliseconds, milliseconds(profile.keepAliveMilliseconds)),
            (.keepAliveCount, profile.keepAliveCount.map(String.init)),
            (.shareMilliseconds, profile.shareMilliseconds.map(Self.share)), (.cwd, profile.cwd),
            (.environment, list(profile.environment.map { "\($0.key)=\($0.value)" }.sorted())),
            (.shell, profile.shell), (.tags, list(profile.tags)), (.note, profile.note),
            (.createdAt, profile.createdAt.rawValue), (.lastConnectedAt, profile.lastConnectedAt?.rawValue),
        ]
        // These fields have a value in every profile, but are meaningful only with SSH.
        let sshKeys: Set<Profile.CodingKeys> = profile.via == nil ? [] : [.host, .port, .agent, .hostKeyPolicy]
        return rows.filter { !sshKeys.contains($0.0) }
            .compactMap { key, value in value.map { (name(of: key), $0) } }
    }

    /// Returns the JSON key without its unit, because the values are shown with units.
    private static func name(of key: Profile.CodingKeys) -> String {
        key.rawValue.hasSuffix("_ms") ? String(key.rawValue.dropLast(3)) : key.rawValue
    }

    private static func share(_ milliseconds: Int64) -> String {
        milliseconds == 0 ? ShareTimeout.off : Duration.milliseconds(milliseconds).shortText
    }

    private static func list(_ values: [String]) -> String? {
        values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private static func text(_ source: SecretSource) -> String? {
        switch source {
        case .none: nil
        case .stored: "stored"
        case .environment(let name): "env \(name)"
        case .file(let path): "file \(path)"
        case .command(let line): "command \(line)"
        }
    }
}

import Core
import System

/// Stores secrets in the Secret Service, or in a file if the user has selected one.
package struct SystemSecretStore: SecretStore {
    private let tool: SecretTool
    private let file: SecretsFile

    /// `path` is the file used by the store `file`; `program` is secret-tool(1), which runs with `environment`.
    package init(
        path: String,
        environment: Environment,
        program: String = "secret-tool",
        timeout: Duration = .seconds(30),
        clock: any Clock<Duration>
    ) {
        tool = SecretTool(program: program, environment: environment, timeout: timeout, clock: clock)
        file = SecretsFile(path: path)
    }

    package func secret(_ key: SecretKey, in kind: SecretStoreKind) async throws(VTError) -> Secret? {
        switch kind {
        case .file:
            return try file.secret(key)
        case .secretService:
            let outcome = try await tool.run("lookup", key)
            if outcome.isSuccess { return try Secret(outcome.output) }
            try check(outcome)
            return nil
        }
    }

    package func store(_ secret: Secret, as key: SecretKey, in kind: SecretStoreKind) async throws(VTError) {
        switch kind {
        case .file:
            try file.change { $0[key.profileID, default: [:]][key.purpose.rawValue] = secret }
        case .secretService:
            let outcome = try await tool.run("store", options: ["--label", key.label], key, input: secret.bytes)
            try check(outcome)
            guard outcome.isSuccess else { throw failure("") }
        }
    }

    package func remove(_ key: SecretKey, in kind: SecretStoreKind) async throws(VTError) {
        switch kind {
        case .file:
            try file.change { secrets in
                secrets[key.profileID]?[key.purpose.rawValue] = nil
                if secrets[key.profileID]?.isEmpty == true { secrets[key.profileID] = nil }
            }
        case .secretService:
            try check(try await tool.run("clear", key))
        }
    }

    private func check(_ outcome: SecretTool.Outcome) throws(VTError) {
        guard !outcome.isSuccess, !outcome.message.isEmpty else { return }
        throw failure(outcome.message)
    }

    private func failure(_ message: String) -> VTError {
        let lines = message.split(separator: "\n").map(String.init)
        return VTError(
            .config,
            "cannot use the Secret Service: \(lines.first ?? "secret-tool failed without a message")",
            hint: "use --secret-store file with vt profile add or vt profile edit",
            causes: Array(lines.dropFirst())
        )
    }
}

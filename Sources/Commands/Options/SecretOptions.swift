import Arguments
import Core

/// The options that specify the source of a password or passphrase: `--password-env NAME` and so on.
///
/// No option takes the secret itself, because other users of the machine can read command lines.
struct SecretOptions {
    static let password = SecretOptions(name: SecretKey.Purpose.password.rawValue)
    static let passphrase = SecretOptions(name: SecretKey.Purpose.passphrase.rawValue)

    let name: String

    private var environment: Option<String?> {
        option("env", .text("NAME", completion: .environmentName), "an environment variable")
    }

    private var file: Option<String?> { option("file", .file, "the first line of a file") }

    private var command: Option<String?> {
        option("command", .text("COMMAND", completion: .command), "the first line of output of a shell command")
    }

    var options: [any CommandOption] { [environment, file, command] }

    private func option(_ suffix: String, _ kind: ValueKind<String>, _ source: String) -> Option<String?> {
        let long = "\(name)-\(suffix)"
        return Option(
            long,
            kind,
            excludes: options.filter { $0.long != long },
            summary: "read the \(name) from \(source)"
        )
    }

    /// Returns the source specified by the options, or nil if there is none.
    func source(in call: Call) throws(VTError) -> SecretSource? {
        if let variable = call[environment] {
            guard EnvironmentVariable.isName(variable) else {
                throw VTError(.usage, "--\(name)-env: invalid variable name '\(variable)'")
            }
            return .environment(variable)
        }
        if let path = call[file] { return .file(path) }
        return call[command].map { .command($0) }
    }
}

import Arguments
import Core

/// The options that specify the source of a password or passphrase: `--password-env NAME` and so on.
struct SecretOptions {
    /// Returns the specs of the options.
    ///
    /// No option takes the secret itself, because other users of the machine can read command lines.
    static func specs(_ purpose: SecretKey.Purpose) -> [OptionSpec] {
        let name = purpose.rawValue
        let all = ["\(name)-env", "\(name)-file", "\(name)-command"]
        func spec(_ long: String, _ value: ValueSpec, _ summary: String) -> OptionSpec {
            OptionSpec(long, value: value, excludes: all.filter { $0 != long }, summary: summary)
        }
        return [
            spec(
                all[0],
                ValueSpec("NAME", completion: .environmentName),
                "read the \(name) from an environment variable"
            ),
            spec(all[1], ValueSpec("FILE", completion: .file), "read the \(name) from the first line of a file"),
            spec(
                all[2],
                ValueSpec("COMMAND", completion: .command),
                "read the \(name) from the first line of output of a shell command"
            ),
        ]
    }

    /// Returns the source specified by the options, or nil if there is none.
    static func source(_ purpose: SecretKey.Purpose, in arguments: ParsedArguments) throws(VTError) -> SecretSource? {
        let name = purpose.rawValue
        if let variable = arguments.value("\(name)-env") {
            guard EnvironmentVariable.isName(variable) else {
                throw VTError(.usage, "--\(name)-env: invalid variable name '\(variable)'")
            }
            return .environment(variable)
        }
        if let path = arguments.value("\(name)-file") { return .file(path) }
        return arguments.value("\(name)-command").map { .command($0) }
    }
}

import Arguments
import Core

/// The options that say where a password or passphrase comes from: `--password-env NAME` and its like.
struct SecretOptions {
    /// The secret itself never stands on a command line: other users of the machine can read that.
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

    /// The source that the options name, or nil where there is none of them.
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

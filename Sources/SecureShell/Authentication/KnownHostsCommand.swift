import Core
import Glibc
import Runtime
import System

/// The command that prints known host keys (ssh_config(5), KnownHostsCommand).
struct KnownHostsCommand {
    /// Why the command runs: the value of its token `%I`.
    enum Purpose: String {
        /// To prefer the types of the known keys in the key exchange.
        case order = "ORDER"
        /// To check the key of the server's name.
        case hostName = "HOSTNAME"
    }

    /// The words, with the tokens that depend on the key not yet expanded.
    let words: [String]
    let environment: [ByteString]
    let timeout: Duration
    let clock: LoopClock

    /// Returns what the command prints; `name` is the name to look up, and `fingerprint` that of the key, if there is one.
    ///
    /// - Throws: `config` when the command fails or prints too much; `timed-out`; errors from starting it.
    func output(
        for purpose: Purpose,
        name: String,
        key: HostKey?,
        fingerprint: String?
    ) async throws(VTError) -> [UInt8] {
        let tokens = SSHConfigTokens([
            "H": name, "I": purpose.rawValue, "t": key?.type ?? "NONE", "f": fingerprint ?? "NONE",
            "K": key.map { Base64.encode($0.blob) } ?? "NONE",
        ])
        // All other tokens have been expanded.
        let arguments = words.prefix(1) + words.dropFirst().map { tokens.expand($0) ?? $0 }
        let plan = SpawnPlan(arguments: arguments.map { ByteString($0) }, environment: environment)
        let capture = try await ChildProcess.capture(plan, timeout: timeout, on: clock)
        guard capture.status == .exited(0) else {
            throw VTError(.config, "KnownHostsCommand '\(words[0])' failed: \(capture.status.phrase)")
        }
        // The rest of a longer output, which could revoke a key, would be lost.
        guard capture.output.count < ChildProcess.captureLimit else {
            throw VTError(.config, "KnownHostsCommand '\(words[0])' printed more than 1 MiB")
        }
        return capture.output
    }
}

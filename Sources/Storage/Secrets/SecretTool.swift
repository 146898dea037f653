import Core
import Glibc
import POSIX

/// Runs secret-tool(1), which talks to the freedesktop Secret Service.
///
/// Secrets go to it by standard input and come from it by standard output, never in words.
struct SecretTool {
    let program: String
    let environment: Environment
    /// How long the keyring may take; one that is locked asks the user on a screen that may not exist.
    let timeout: Duration

    /// What secret-tool did: its exit status is 1 both where there is no such secret and where it failed, but only a
    /// failure comes with a message.
    struct Outcome {
        var isSuccess: Bool
        var output: [UInt8]
        var message: String
    }

    /// `verb` is `lookup`, `store` or `clear`.
    func run(
        _ verb: String,
        options: [String] = [],
        _ key: SecretKey,
        input: [UInt8] = []
    ) async throws(VTError) -> Outcome {
        let attributes = ["service", "vt", "profile", key.profileID, "purpose", key.purpose.rawValue]
        let words = [program, verb] + options + attributes
        let plan = SpawnPlan(arguments: words.map { ByteString($0) }, environment: environment.words)
        let messages = try DescriptorPair.pipe()
        let capture: ChildProcess.Capture
        do throws(VTError) {
            capture = try await ChildProcess.capture(
                plan,
                input: input,
                errorOutput: messages.second.number,
                timeout: timeout
            )
        } catch {
            throw explained(error)
        }
        return Outcome(
            isSuccess: capture.status == .exited(0),
            output: capture.output,
            message: Self.text(waitingIn: messages.first.number)
        )
    }

    /// Reads what the program has left in the pipe; it is gone by now, and a pipe holds more than it ever says.
    private static func text(waitingIn descriptor: CInt) -> String {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    private func explained(_ error: VTError) -> VTError {
        switch error.code {
        case .notFound:
            VTError(
                .config,
                "cannot use the Secret Service: secret-tool is not installed",
                hint: "apt-get install libsecret-tools, or use --secret-store file",
                causes: [error.message]
            )
        case .timedOut:
            VTError(
                .config,
                "the Secret Service did not respond within \(timeout.shortText)",
                hint: "unlock the keyring, or use --secret-store file"
            )
        default:
            error
        }
    }
}

import Core
import Glibc
import Runtime
import System

/// Runs secret-tool(1), a client of the freedesktop Secret Service.
///
/// Secrets are passed through standard input and output, never as arguments.
struct SecretTool {
    let program: String
    let environment: Environment
    /// How long the keyring may take to respond; a locked keyring prompts the user, on a display that might not exist.
    let timeout: Duration
    let clock: any Clock<Duration>

    /// The result of secret-tool: its exit status is 1 both for a missing secret and for a failure, but only a failure
    /// prints a message.
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
                timeout: timeout,
                on: clock
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

    /// Reads the messages that the program left in the pipe; it has already exited, and its messages always fit in a
    /// pipe.
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
                hint: "install the package libsecret-tools, or use --secret-store file with vt profile add "
                    + "or vt profile edit",
                causes: [error.message]
            )
        case .timedOut:
            VTError(
                .config,
                "the Secret Service did not respond within \(timeout.shortText)",
                hint: "unlock the keyring, or use --secret-store file with vt profile add or vt profile edit"
            )
        default:
            error
        }
    }
}

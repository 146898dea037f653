import Core
import Glibc
import POSIX

/// Asks systemd-logind(8) whether it ends a user's processes with the login (logind.conf(5)).
struct LoginManager: Sendable {
    let environment: Environment

    /// How long an answer may take.
    static let timeout = Duration.seconds(1)

    /// Whether the processes of the user end with the login; nil when nobody says so.
    func endsProcesses(of user: String) async -> Bool? {
        guard let program = ProgramPath.find("busctl", in: environment) else { return nil }
        let words = [
            program, "--system", "--timeout=1", "get-property", "org.freedesktop.login1", "/org/freedesktop/login1",
            "org.freedesktop.login1.Manager", "KillUserProcesses", "KillOnlyUsers", "KillExcludeUsers",
        ]
        let plan = SpawnPlan(arguments: words.map { ByteString($0) }, environment: environment.words)
        do throws(VTError) {
            let nothing = try FileDescriptor.open("/dev/null", O_RDWR)
            let capture = try await ChildProcess.capture(
                plan,
                errorOutput: nothing.number,
                timeout: Self.timeout
            )
            guard capture.status.isSuccess else { return nil }
            return Self.verdict(String(decoding: capture.output, as: UTF8.self), on: user)
        } catch {
            return nil
        }
    }

    /// Reads the three properties as busctl(1) prints them, and decides as logind does: who is excluded stays, else the
    /// list of those to end counts where there is one, else the switch for all.
    private static func verdict(_ text: String, on user: String) -> Bool? {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        guard lines.count == 3, lines[0].count == 2, lines[0][0] == "b" else { return nil }
        guard let only = names(lines[1]), let excluded = names(lines[2]) else { return nil }
        if excluded.contains(user) { return false }
        return only.isEmpty ? lines[0][1] == "true" : only.contains(user)
    }

    /// Reads `as 2 "root" "ann"`.
    private static func names(_ words: [Substring]) -> [String]? {
        guard words.count >= 2, words[0] == "as", Int(words[1]) == words.count - 2 else { return nil }
        return words.dropFirst(2).map { word in String(word.filter { $0 != "\"" }) }
    }
}

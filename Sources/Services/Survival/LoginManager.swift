import Core
import Glibc
import Runtime
import System

/// Queries systemd-logind(8) to determine whether it kills a user's processes at logout (logind.conf(5)).
struct LoginManager: Sendable {
    let environment: Environment
    let clock: any Clock<Duration>

    /// The timeout for a reply.
    static let timeout = Duration.seconds(1)

    /// Whether the user's processes are killed at logout; nil if unknown.
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
                timeout: Self.timeout,
                on: clock
            )
            guard capture.status.isSuccess else { return nil }
            return Self.verdict(String(decoding: capture.output, as: UTF8.self), on: user)
        } catch {
            return nil
        }
    }

    /// Parses the three properties printed by busctl(1), and decides as logind does: KillExcludeUsers comes first, then
    /// KillOnlyUsers if it is not empty, otherwise KillUserProcesses.
    private static func verdict(_ text: String, on user: String) -> Bool? {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        guard lines.count == 3, lines[0].count == 2, lines[0][0] == "b" else { return nil }
        guard let only = names(lines[1]), let excluded = names(lines[2]) else { return nil }
        if excluded.contains(user) { return false }
        return only.isEmpty ? lines[0][1] == "true" : only.contains(user)
    }

    /// Parses `as 2 "root" "ann"`.
    private static func names(_ words: [Substring]) -> [String]? {
        guard words.count >= 2, words[0] == "as", Int(words[1]) == words.count - 2 else { return nil }
        return words.dropFirst(2).map { word in String(word.filter { $0 != "\"" }) }
    }
}

import Foundation
import TestSupport

/// A VibeTunnel server with the profile `mac`.
struct VibeTunnelLab {
    typealias Era = VibeTunnelDouble.Era

    static let password = "PASSWORD-MARKER"

    let vt: Vt
    let server: VibeTunnelDouble

    init(_ era: Era, faults: VibeTunnelDouble.Faults = .init(), hasPassword: Bool = true) async throws {
        vt = try Vt()
        server = try VibeTunnelDouble(era, password: hasPassword ? Self.password : nil, faults: faults)
        let words = ["profile", "add", "mac", "--vibetunnel", server.url, "--user", VibeTunnelDouble.user]
        let secret = hasPassword ? ["--password-stdin", "--secret-store", "file"] : []
        _ = try await vt.call(words + secret).check(input: Array("\(Self.password)\n".utf8))
    }

    /// Faults, as a value.
    static func faults(_ change: (inout VibeTunnelDouble.Faults) -> Void) -> VibeTunnelDouble.Faults {
        var faults = VibeTunnelDouble.Faults()
        change(&faults)
        return faults
    }

    /// Creates a session with a shell command.
    func create(_ name: String, _ line: String) async throws -> String {
        try await vt.check("sessions", "create", "mac:\(name)", "--", "sh", "-c", line).trimmingCharacters(
            in: .whitespacesAndNewlines
        )
    }

    func run(_ words: String...) async throws -> ProgramResult {
        try await vt.call(words).run()
    }
}

import Foundation
import TestSupport
import Testing

/// `vt sessions reap`.
@Suite(.crowded)
struct ReapTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private func states() async throws -> [String: String] {
        let list = try await vt.check("sessions", "list", "--fields", "name,state")
        return list.split(separator: "\n").reduce(into: [:]) { states, line in
            let words = line.split(separator: "\t").map(String.init)
            if words.count == 2 { states[words[0]] = words[1] }
        }
    }

    @Test func `idle sessions are paused, and busy ones are not`() async throws {
        for name in ["a", "b"] {
            try await vt.check("sessions", "create", name, "--", "bash")
            try await vt.check("sessions", "exec", name, "true")
        }
        try await vt.check("sessions", "send", "b", "echo up; sleep 1000", "--enter", "--wait", "match=^up")
        let dry = try await vt.check("sessions", "reap", "--idle", "0s", "--action", "pause", "--dry-run")
        #expect(try await states() == ["a": "running", "b": "running"])
        #expect(try await vt.check("sessions", "reap", "--idle", "0s", "--action", "pause") == dry)
        #expect(try await states() == ["a": "paused", "b": "running"])
        #expect(try await vt.check("sessions", "reap", "--max-active", "0", "--action", "freeze") != "")
        #expect(try await states() == ["a": "paused", "b": "frozen"])
        #expect(try await vt.check("sessions", "reap", "--idle", "1h", "--action", "kill") == "")
        try await vt.check("sessions", "reap", "--idle", "0s", "--action", "kill")
        #expect(try await states() == ["a": "exited", "b": "exited"])
    }

    @Test func `an action and a selection are required`() async throws {
        #expect(try await vt.run("sessions", "reap", "--idle", "1h").exit == 64)
        #expect(try await vt.run("sessions", "reap", "--action", "kill").exit == 64)
    }

    @Test func `the time of the last activity is part of the record`() async throws {
        try await vt.check("sessions", "create", "s", "--", "cat")
        let first = try await vt.run("sessions", "show", "s", "--json").json()["active_at"] as? String
        #expect(first != nil)
        #expect(
            try await eventually {
                try await vt.check("sessions", "send", "s", "x", "--enter")
                return try await vt.run("sessions", "show", "s", "--json").json()["active_at"] as? String ?? "" > first
                    ?? ""
            }
        )
    }
}

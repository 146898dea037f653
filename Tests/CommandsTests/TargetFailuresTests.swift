import Core
import CoreTestSupport
import Testing

@testable import Commands

@Suite struct TargetFailuresTests {
    private func lines(_ failures: [TargetFailures.Failure]) -> [String] {
        let notes = RecordedNotes()
        TargetFailures(failures).report(on: notes)
        return notes.all
    }

    private func failures(_ count: Int, _ error: (String) -> VTError) -> [TargetFailures.Failure] {
        (1...count).map { TargetFailures.Failure("s\($0)", error("s\($0)")) }
    }

    @Test func `equal failures are one line with one hint`() {
        let error = VTError(.config, "private key '/k' is readable by other users", hint: "chmod 600 /k")
        #expect(
            lines(failures(3) { _ in error } + [TargetFailures.Failure("b", kind: "exit 1", text: "exit 1")]) == [
                "s[1-3]: private key '/k' is readable by other users (config) (hint: chmod 600 /k)", "b: exit 1",
            ]
        )
        #expect(
            lines(failures(40) { _ in error }) == [
                "40 targets: private key '/k' is readable by other users (config): s[1-40] (hint: chmod 600 /k)"
            ]
        )
    }

    @Test func `failures that differ in names are separate up to ten`() {
        let error = { (name: String) in VTError(.hostUnreachable, "'\(name)' did not answer within 10s") }
        #expect(
            lines(failures(10, error))
                == (1...10).map { "s\($0): 's\($0)' did not answer within 10s (host.unreachable)" }
        )
        #expect(
            lines(failures(11, error)) == ["11 targets: '...' did not answer within 10s (host.unreachable): s[1-11]"]
        )
    }

    @Test func `each hint is given once, after the last failure that has it`() {
        let all = failures(3) { VTError(.hostUnresolved, "no '\($0)'", hint: $0 == "s3" ? nil : "check the name") }
        #expect(
            lines(all) == [
                "s1: no 's1' (host.unresolved)", "s2: no 's2' (host.unresolved) (hint: check the name)",
                "s3: no 's3' (host.unresolved)",
            ]
        )
    }

    @Test func `the totals name each class if there are several`() {
        let down = failures(3) { VTError(.hostUnreachable, "'\($0)' is down") }
        #expect(TargetFailures(down).totals == "")
        let others = [TargetFailures.Failure("a", kind: "exit 1", text: "exit 1")]
        #expect(TargetFailures(others + down).totals == " (3 host.unreachable, 1 exit 1)")
    }

    @Test(arguments: [
        (
            "stored the new host key of '[::1]:22': ssh-rsa SHA256:ab/c+",
            "stored the new host key of '...': ssh-rsa SHA256:..."
        ),
        ("the server's key of 'a' (the agent's 'b')", "the server's key of '...' (the agent's '...')"),
        ("'unfinished", "'unfinished"), ("", ""),
    ])
    func `a pattern has no quoted names and fingerprints`(_ message: String, _ pattern: String) {
        #expect(MessagePattern(message).text == pattern)
    }

    @Test func `notes that more than ten targets cause are one line at the end`() {
        let recorded = RecordedNotes()
        let notes = GroupedNotes(recorded, targets: (1...12).map { "s\($0)" })
        for number in 1...12 {
            notes.note("stored the new host key of 's\(number)': ssh-ed25519 SHA256:\(number)")
            if number < 11 { notes.note("'s\(number)' rejected the variable 'A'") }
            notes.note("s\(number): '/srv/a' is written in place")
            notes.note("s\(number): '/srv/\(number)' is incomplete")
        }
        #expect(recorded.all == [])
        notes.failure("failed")
        #expect(recorded.all == ["failed"])
        notes.finish()
        notes.finish()
        let expected =
            [
                "12 targets: '/srv/a' is written in place",
                "12 targets: stored the new host key of '...': ssh-ed25519 SHA256:...",
            ]
            + (1...10).map { "'s\($0)' rejected the variable 'A'" }
            + (1...12).map { "s\($0): '/srv/\($0)' is incomplete" }
        #expect(Set(recorded.all.dropFirst()) == Set(expected))
        #expect(recorded.all.count == expected.count + 1)
        // Steps at the end of a command can report something, too.
        notes.note("the command may still be running on 12 targets")
        #expect(recorded.all.last == "the command may still be running on 12 targets")
    }
}

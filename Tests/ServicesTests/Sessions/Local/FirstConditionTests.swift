import Core
import CoreTestSupport
import Services
import TestSupport
import Testing

/// Tests `wait` with several conditions.
@Suite struct FirstConditionTests {
    private static func match(_ text: String, isFailure: Bool = false) throws -> WaitCondition {
        .match(try LinePattern(text), text: text, isFailure: isFailure)
    }

    private func wait(
        _ fixture: SessionFixture,
        _ conditions: [WaitCondition],
        from offset: UInt64? = 0
    ) async throws -> WaitOutcome {
        try await fixture.client.wait(WaitRequest(conditions, from: offset, timeout: .patience), of: "build")
    }

    @Test(
        arguments: [
            ("OK\r\nerror: 1\r\n", .match, "OK", 2), ("error: 1\r\nOK\r\n", .failMatch, "error:", 6),
            ("error: not OK\r\n", .failMatch, "error:", 6), ("OK, no error: 0\r\n", .match, "OK", 2),
        ] as [(String, WaitCondition.Kind, String, UInt64)]
    )
    func `the match that ends first counts`(
        output: String,
        condition: WaitCondition.Kind,
        text: String,
        offset: UInt64
    ) async throws {
        for logged in [0, 1] {
            let conditions = [try Self.match("OK"), try Self.match("error:", isFailure: true), .exit]
            let found = try await wait(.running([output], logged: logged), conditions)
            #expect(found.condition == condition)
            #expect(found.expression == text)
            #expect(found.match == text)
            #expect(found.offset == offset)
        }
    }

    @Test func `a failure prevails over another match of the same text`() async throws {
        let conditions = [try Self.match("x$"), try Self.match("ax$", isFailure: true)]
        #expect(try await wait(.running(["ax\r\n"]), conditions).condition == .failMatch)
    }

    @Test func `the end of the session or a silence is a condition of its own`() async throws {
        let ended = SessionFixture.ended(MemoryLog(Array("x\r\n".utf8)))
        let end = try await wait(ended, [try Self.match("OK"), .exit, .prompt])
        #expect(end.condition == .exit)
        #expect(end.session.exit == .exited(3))
        let quiet = try await wait(
            .running(["x\r\n"], logged: 1),
            [try Self.match("OK"), .idle(.milliseconds(50)), .exit]
        )
        #expect(quiet.condition == .idle)
        #expect(quiet.offset == 3)
    }

    @Test func `without the end as a condition, names everything that did not happen`() async throws {
        let ended = SessionFixture.ended(MemoryLog([]))
        let conditions = [try Self.match("OK"), try Self.match("bad", isFailure: true), .prompt]
        let error = await #expect(throws: VTError.self) { try await wait(ended, conditions) }
        #expect(error?.message == "'build' ended (exit status 3) and nothing matched 'OK', and no prompt was shown")
        let late = await #expect(throws: VTError.self) {
            let request = WaitRequest([try Self.match("OK"), .exit], from: 0, timeout: .milliseconds(50))
            return try await SessionFixture.running(["x"]).client.wait(request, of: "build")
        }
        #expect(late?.code == .timedOut)
        #expect(late?.message == "'build': nothing matched 'OK', and the session did not end within 50ms")
    }

    @Test func `a match in output before the current prompt comes first`() async throws {
        let prompt = "\u{1B}]133;A\u{7}$ \u{1B}]133;B\u{7}"
        let pieces = ["error: 1\r\n", prompt]
        let conditions = [try Self.match("error:", isFailure: true), .prompt]
        let failed = try await wait(.running(pieces, logged: 2), conditions, from: nil)
        #expect(failed.condition == .failMatch)
        let shown = try await wait(.running(["fine\r\n", prompt], logged: 2), conditions, from: nil)
        #expect(shown.condition == .prompt)
        #expect(shown.offset == UInt64(prompt.utf8.count + 6))
    }
}

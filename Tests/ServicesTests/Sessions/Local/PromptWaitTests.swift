import Core
import CoreTestSupport
import Services
import TestSupport
import Testing

/// Tests `wait --prompt`.
@Suite struct PromptWaitTests {
    private func wait(_ fixture: SessionFixture, from offset: UInt64? = nil) async throws -> WaitOutcome {
        try await fixture.client.wait(WaitRequest([.prompt], from: offset, timeout: .patience), of: "build")
    }

    private static func mark(_ text: String) -> String { "\u{1B}]133;\(text)\u{7}" }

    private static let start = mark("A") + "$ " + mark("B")
    private static let run = "make\r\n" + mark("C") + "made\r\n"

    @Test func `finds the prompt after an offset, and the exit status that precedes it`() async throws {
        let pieces = [Self.start, Self.run, Self.mark("D;2"), Self.start]
        let found = try await wait(.running(pieces), from: UInt64(Self.start.utf8.count))
        #expect(found.offset == UInt64(pieces.joined().utf8.count))
        #expect(found.commandExit == 2)
        #expect(try await wait(.running(pieces), from: 0).offset == UInt64(Self.start.utf8.count))
    }

    @Test func `without an offset, finds the current prompt`() async throws {
        let pieces = [Self.start, Self.run, Self.mark("D;0;x=1"), Self.start, "ls"]
        let found = try await wait(.running(pieces, logged: 5))
        #expect(found.offset == UInt64(pieces.dropLast().joined().utf8.count))
        #expect(found.commandExit == 0)
    }

    @Test func `a session that runs a command has no current prompt`() async throws {
        let pieces = [Self.start, Self.run, "more", Self.mark("D;1") + Self.start]
        let found = try await wait(.running(pieces, logged: 2))
        #expect(found.offset == UInt64(pieces.joined().utf8.count))
        #expect(found.commandExit == 1)
    }

    @Test func `finds marks far from the end, and marks that arrive in parts`() async throws {
        let typed = String(repeating: "x", count: 700_000)
        let first = Self.mark("D;7") + Self.start
        let found = try await wait(.running([first, typed], logged: 2))
        #expect(found.offset == UInt64(first.utf8.count))
        #expect(found.commandExit == 7)
        let parts = Self.start.utf8.map { String(decoding: [$0], as: UTF8.self) }
        #expect(try await wait(.running(parts), from: 0).offset == UInt64(parts.count))
    }

    @Test func `a prompt without an end mark is found right after its start mark`() async throws {
        let begin = Self.mark("A")
        #expect(try await wait(.running([begin, "> "]), from: 0).offset == UInt64(begin.utf8.count))
        #expect(try await wait(.running([begin, "> "], logged: 2)).offset == UInt64(begin.utf8.count))
        #expect(try await wait(.running([begin + "> " + Self.run]), from: 0).offset == UInt64(begin.utf8.count))
    }

    @Test(arguments: [[], ["$ "], ["motd\r\n", "$ "]])
    func `reports a shell without prompt marks, once it is silent`(pieces: [String]) async throws {
        for logged in [0, pieces.count] {
            let fixture = SessionFixture.running(pieces, logged: logged, unmarkedPause: .milliseconds(200))
            let error = await #expect(throws: VTError.self) { try await wait(fixture) }
            #expect(error?.code == .negative)
            #expect(error?.message == "'build' has never marked a prompt (OSC 133) and has been silent for 200ms")
        }
    }

    @Test func `reports a shell without prompt marks also if only later output counts`() async throws {
        let fixture = SessionFixture.running(["$ ", "make\r\n", "$ "], logged: 1, unmarkedPause: .milliseconds(200))
        let error = await #expect(throws: VTError.self) { try await wait(fixture, from: 2) }
        #expect(error?.code == .negative)
        // A shell that has marked a prompt is running a command.
        let marked = SessionFixture.running([Self.start, "make\r\n"], logged: 1, unmarkedPause: .milliseconds(50))
        let late = WaitRequest([.prompt], from: UInt64(Self.start.utf8.count), timeout: .milliseconds(400))
        let failure = await #expect(throws: VTError.self) { try await marked.client.wait(late, of: "build") }
        #expect(failure?.code == .timedOut)
    }

    @Test func `a session that ends without a prompt is reported as ended`() async throws {
        for output in ["", "$ ", Self.mark("C") + Self.mark("D;0")] {
            let fixture = SessionFixture.ended(MemoryLog(Array(output.utf8)))
            let error = await #expect(throws: VTError.self) { try await wait(fixture, from: 0) }
            #expect(error?.code == .ended)
        }
        let gone = SessionFixture.ended(MemoryLog(Array(Self.start.utf8)))
        let error = await #expect(throws: VTError.self) { try await wait(gone) }
        #expect(error?.message == "'build' ended (exit status 3) and no prompt was shown")
    }
}

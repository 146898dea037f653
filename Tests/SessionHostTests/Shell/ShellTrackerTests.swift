import Core
import Glibc
import System
import TestSupport
import Testing

@testable import SessionHost

@Suite final class ShellTrackerTests {
    private let scratch: ScratchDirectory
    private var tracker: ShellTracker
    private let client: HolderClient

    private static let prompt = "B;1;;bash;aa;7;"
    private static let nested = "B;1;;zsh;bb;8;"

    init() throws {
        scratch = try ScratchDirectory()
        let files = SessionFiles(of: try #require(SessionID("0123456789ab")), in: scratch.path)
        #expect(unsafe mkdir(files.directory, 0o700) == 0)
        var command: [ByteString] = ["bash"]
        var environment: [ByteString] = ["PATH=/usr/bin:/bin"]
        let integration = try ShellIntegration(files, &command, &environment)
        tracker = ShellTracker(try #require(integration))
        client = HolderClient(try FileDescriptor.open("/dev/null", O_RDWR), now: 0)
    }

    /// Applies marks, and returns those that are reported to the client.
    private func apply(_ payloads: String...) -> [ShellMark.Kind] {
        payloads.flatMap { payload -> [ShellMark.Kind] in
            let steps = tracker.apply(payload, at: 0, now: Timestamp(seconds: 0))?.steps ?? []
            return steps.compactMap { if case .report(let mark, _) = $0 { mark.kind } else { nil } }
        }
    }

    /// The marks that are recorded although the hook has not printed them.
    private func recorded(_ steps: [ShellTracker.Step]?) -> [ShellMark.Kind] {
        (steps ?? []).compactMap { if case .record(let mark) = $0 { mark.kind } else { nil } }
    }

    private func offer() throws {
        _ = apply("A;/", Self.prompt)
        let execution = SessionFrame.Execution(token: [1], waits: false, isRepeated: false, line: Array("true".utf8))
        tracker.lines.add(execution, from: client)
        let offered = tracker.offer()
        #expect(offered?.id == 1)
    }

    @Test func `a prompt repeats how the last line ended, because ^C discards output`() throws {
        try offer()
        #expect(apply("C;1;", "D;130;", "A;/", "\(Self.prompt)1;3") == [.command, .end(status: 3)])
        #expect(tracker.current == nil)
    }

    @Test func `a line has ended even if all its marks are lost`() throws {
        try offer()
        #expect(apply("A;/", "\(Self.prompt)1;0") == [.end(status: 0)])
    }

    @Test func `a line that was not taken remains offered`() throws {
        try offer()
        #expect(apply("D;130;", "A;/", Self.prompt) == [])
        #expect(tracker.current?.id == 1)
    }

    @Test func `the end of a line is unknown only if the prompt does not report it`() throws {
        try offer()
        #expect(apply("C;1;", "A;/", Self.prompt) == [.command, .unknown])
    }

    @Test func `an end that the hook has not printed is recorded`() throws {
        try offer()
        _ = apply("C;1;", "A;/")
        let steps = tracker.apply("\(Self.prompt)1;3", at: 0, now: Timestamp(seconds: 0))?.steps
        #expect(recorded(steps) == [.end(status: 3)])
    }

    @Test func `a line that starts a nested shell does not end while that shell is at its prompt`() throws {
        try offer()
        #expect(apply("C;1;", "A;/", Self.nested, "C;;", "D;5;", "A;/", Self.nested, "C;;") == [.command])
        #expect(tracker.status.kind == "zsh")
        #expect(apply("D;6;1", "A;/", Self.prompt) == [.end(status: 6)])
        #expect(tracker.status.kind == "bash")
    }

    @Test func `a line that ends the inner shell has its status`() throws {
        _ = apply("A;/", Self.prompt, "C;;", "A;/", Self.nested)
        let execution = SessionFrame.Execution(token: [1], waits: false, isRepeated: false, line: Array("true".utf8))
        tracker.lines.add(execution, from: client)
        _ = tracker.offer()
        #expect(apply("C;1;", "D;3;;7") == [.command, .end(status: 3)])
        #expect(tracker.current == nil)
    }

    @Test func `a directory may contain any character`() {
        _ = apply("A;/a;b%0Ac%25;d", Self.prompt)
        #expect(tracker.status.directory == "/a;b\nc%;d")
    }

    @Test func `another shell in the same process has replaced the one that ran the line`() throws {
        try offer()
        #expect(apply("C;1;", "A;/", "B;1;;fish;cc;7;") == [.command, .replaced])
        #expect(tracker.status.state == .prompt)
    }

    @Test func `the replacement of the shell is recorded`() throws {
        try offer()
        _ = apply("C;1;")
        #expect(recorded(tracker.end(.replaced, at: 0)) == [.replaced])
    }

    @Test func `the mark of an end has the number of its command, also in nested shells`() throws {
        func turn(_ payload: String) -> UInt64? {
            tracker.apply(payload, at: 0, now: Timestamp(seconds: 0))?.mark.turn
        }
        _ = apply("A;/", Self.prompt)
        #expect(turn("C;;zsh") == 1)
        _ = apply("A;/", "B;1;;zsh;bb;8;")
        #expect(turn("C;;true") == 2)
        #expect(turn("D;0;;8") == 2)
        _ = apply("A;/", "B;1;;zsh;bb;8;")
        #expect(turn("C;;exit") == 3)
        #expect(turn("D;4;;7") == 1)
        _ = apply("A;/")
        // The shell that ran it has ended without reporting it.
        let steps = tracker.apply(Self.prompt, at: 9, now: Timestamp(seconds: 0))?.steps ?? []
        let recorded = steps.compactMap { if case .record(let mark) = $0 { mark } else { nil } }
        #expect(recorded == [ShellMark(.unknown, at: 9, turn: 3)])
        // A prompt without a command ends no turn.
        #expect(turn("D;4;;7") == 3)
    }

    @Test func `the mark of a start has the command line and the directory`() throws {
        try offer()
        let mark = tracker.apply("C;1;", at: 0, now: Timestamp(seconds: 0))?.mark
        #expect(mark?.command == "true" && mark?.directory == "/")
    }
}

import Core
import CoreTestSupport
@testable import Services
import Synchronization
import Terminal
import Testing

struct SessionScreenTests {
    private static let log = MemoryLog(Array("one\r\ntwo\r\nthree 0123456789".utf8))

    @Test func `the holder provides the screen of a running session`() async throws {
        let shown = [
            SessionFrame.resized(try TerminalSize(parsing: "90x30")),
            .screen(offset: 7, bytes: Array("\u{1B}[2Jheld".utf8)),
        ]
        let screen = try await SessionFixture.live(Self.log, shown).sessions.screen(of: "build", ScreenRequest())
        #expect(screen.emulator().screen().rows[0].text == "held")
        #expect(screen.emulator().size == (try TerminalSize(parsing: "90x30")))
        #expect(screen.offset == 7)
    }

    @Test(arguments: [[], [SessionFrame.screen(offset: 7, bytes: [])], [.exit(.exited(0), offset: 7)]])
    func `replays the log if the holder provides no screen`(_ frames: [SessionFrame]) async throws {
        let screen = try await SessionFixture.live(Self.log, frames).sessions.screen(of: "build", ScreenRequest())
        #expect(Self.text(screen) == "one\ntwo\nthree 0123456789\n")
        #expect(screen.offset == 26)
    }

    @Test(arguments: [
        (ScreenRequest(), "one\ntwo\nthree 0123456789\n"), (ScreenRequest(offset: 8), "one\ntwo\n"),
        (ScreenRequest(size: TerminalSize(columns: 6, rows: 5)), "one\ntwo\nthree\n012345\n6789\n"),
        (ScreenRequest(size: TerminalSize(columns: 80, rows: 1), scrollback: 1), "two\nthree 0123456789\n"),
        (ScreenRequest(size: TerminalSize(columns: 80, rows: 1)), "three 0123456789\n"),
    ])
    func `renders the screen of an ended session from its log`(_ request: ScreenRequest, _ text: String) async throws {
        let screen = try await SessionFixture.ended(Self.log).sessions.screen(of: "build", request)
        #expect(Self.text(screen, scrollback: request.scrollback) == text)
    }

    @Test(arguments: [0, 3, 27] as [UInt64])
    func `rejects an offset for which the log has no screen`(_ offset: UInt64) async throws {
        let log = MemoryLog(Array("one\r\ntwo\r\nthree 0123456789".utf8), first: 4)
        let error = try await failure {
            _ = try await SessionFixture.ended(log).sessions.screen(of: "build", ScreenRequest(offset: offset))
        }
        #expect(error.code == .dataInvalid)
    }

    // MARK: - Transfer between two vt processes

    @Test(arguments: [0, 2])
    func `transfers a screen with its scrollback and its session`(_ scrollback: Int) async throws {
        let size = try TerminalSize(parsing: "20x2")
        var emulator = Emulator(size: size)
        emulator.feed(Array("1\r\n2\r\n3\r\n\u{1B}[31mfour\u{1B}]0;title\u{7}".utf8))
        let sent = Self.screen(.sample("build", state: .exited), offset: 99, emulator, scrollback)
        let got = try await SessionScreen.received(sent.frames, scrollback)
        #expect(got.session == sent.session)
        #expect(got.offset == 99)
        #expect(got.emulator().screen(scrollback: scrollback) == emulator.screen(scrollback: scrollback))
    }

    @Test func `transfers a screen in several frames`() async throws {
        var emulator = Emulator(size: try TerminalSize(parsing: "400x350"))
        for index in 0..<140_000 {
            emulator.feed(Array("\u{1B}[38;2;\(index % 256);\(index / 256 % 256);7;48;2;1;\(index % 199);3mx".utf8))
        }
        let sent = Self.screen(.sample("build"), offset: 1, emulator)
        let frames = try await sent.frames
        #expect(frames.count > 3)
        #expect(try await SessionScreen.received(frames, 0).emulator().screen() == emulator.screen())
    }

    @Test func `rejects a truncated screen`() async throws {
        let sent = Self.screen(.sample("build"), offset: 1, Emulator(size: .standard))
        let frames = try await sent.frames
        for count in frames.indices {
            let error = try await failure { _ = try await SessionScreen.received(Array(frames[..<count]), 0) }
            #expect(error.code == .protocolViolation)
        }
    }

    private static func screen(
        _ session: Session,
        offset: UInt64,
        _ emulator: Emulator,
        _ scrollback: Int = 0
    ) -> SessionScreen {
        SessionScreen(
            session: session,
            offset: offset,
            size: emulator.size,
            state: StateRenderer.render(emulator, scrollback: scrollback),
            scrollback: scrollback
        )
    }

    private static func text(_ screen: SessionScreen, scrollback: Int = 0) -> String {
        TextRenderer.render(screen.emulator().screen(scrollback: scrollback))
    }
}

extension SessionScreen {
    /// The frames in which a relay sends the screen.
    fileprivate var frames: [SessionFrame] {
        get async throws {
            let frames = Mutex<[SessionFrame]>([])
            let answer = CallAnswer { frame throws(VTError) in
                frames.withLock { $0.append(frame) }
                return true
            }
            try await send(to: answer)
            return frames.withLock { $0 }
        }
    }

    /// The screen that a client assembles from these frames of a relay.
    fileprivate static func received(_ frames: [SessionFrame], _ scrollback: Int) async throws -> SessionScreen {
        try await SessionClient.of(FakeRelay([.init(frames)]))
            .call(ScreenRequest(scrollback: scrollback), on: "build")
    }
}

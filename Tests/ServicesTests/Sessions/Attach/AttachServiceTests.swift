import Core
import CoreTestSupport
import Runtime
import Services
import System
import Testing

struct AttachServiceTests {
    @Test func `shows the screen first, then the output after it`() async throws {
        let fixture = AttachFixture()
        fixture.holder.write("before")
        let outcome = try await fixture.attach { holder, _, _ in
            holder.write(" after")
            holder.exit(.exited(7))
        }
        #expect(outcome == .ended(.exited(7)))
        #expect(fixture.terminal.text == String(repeating: "\n", count: 24) + "<screen> after")
        #expect(fixture.terminal.reset == "")
    }

    @Test func `without a screen, shows only new output`() async throws {
        let fixture = AttachFixture(FakeTerminal(hasKeyboard: false, hasScreen: false))
        fixture.holder.write("before")
        _ = try await fixture.attach { holder, _, _ in
            holder.write("\u{1B}[?1000hafter")
            holder.exit(.exited(0))
        }
        #expect(fixture.terminal.text == "\u{1B}[?1000hafter")
        #expect(fixture.terminal.reset == "")
    }

    @Test func `delivers typed input, and detaches with the detach key`() async throws {
        var fixture = AttachFixture()
        fixture.clock = EagerClock(limit: .seconds(1))
        let outcome = try await fixture.attach { holder, terminal, _ in
            try await terminal.type("ls\r")
            try await holder.until { $0.typed == Array("ls\r".utf8) }
            try await terminal.type("pw\u{1D}")
        }
        #expect(outcome == .detached)
        #expect(fixture.holder.typed == Array("ls\rpw".utf8))
        #expect(fixture.terminal.notes.isEmpty)
    }

    @Test func `the detach key and then m add a marker instead of detaching`() async throws {
        var fixture = AttachFixture()
        fixture.clock = StoppedClock()
        fixture.holder.setFeatures(SessionFrame.Feature.takesMarkers)
        let outcome = try await fixture.attach { holder, terminal, _ in
            try await terminal.type("a\u{1D}")
            try await terminal.type("mb")
            try await terminal.type("\u{1D}m")
            try await holder.until { $0.markers == 2 && $0.typed == Array("ab".utf8) }
            holder.exit(.exited(0))
        }
        #expect(outcome == .ended(.exited(0)))
        #expect(fixture.terminal.notes.isEmpty)
    }

    @Test func `reports markers that the holder does not support, and adds none for a reader`() async throws {
        for isReadOnly in [false, true] {
            var fixture = AttachFixture()
            fixture.request.isReadOnly = isReadOnly
            fixture.holder.setFeatures(isReadOnly ? SessionFrame.Feature.takesMarkers : 0)
            fixture.clock = EagerClock(limit: .seconds(1))
            let outcome = try await fixture.attach { _, terminal, _ in
                try await terminal.type("\u{1D}m")
                try await terminal.type("\u{1D}")
            }
            #expect(outcome == .detached)
            #expect(fixture.holder.markers == 0)
            #expect(fixture.terminal.notes == (isReadOnly ? [] : ["1 marker has not been added"]))
        }
    }

    @Test func `a key that does not detach is passed on after a moment`() async throws {
        var fixture = AttachFixture()
        fixture.request.detaches = false
        fixture.clock = EagerClock(limit: .seconds(1))
        let outcome = try await fixture.attach { holder, terminal, _ in
            try await terminal.type("a\u{1D}")
            try await holder.until { $0.typed == Array("a\u{1D}".utf8) }
            holder.exit(.exited(0))
        }
        #expect(outcome == .ended(.exited(0)))
    }

    @Test func `the detach key waits for a second press, which sends it to the program`() async throws {
        let clock = EagerClock(limit: .seconds(1))
        var fixture = AttachFixture()
        fixture.clock = clock
        #expect(try await fixture.attach { _, terminal, _ in try await terminal.type("\u{1D}") } == .detached)
        #expect(clock.waits.contains(.milliseconds(500)))
        fixture = AttachFixture()
        fixture.clock = StoppedClock()
        let outcome = try await fixture.attach { holder, terminal, _ in
            try await terminal.type("a\u{1D}\u{1D}b")
            try await holder.until { $0.typed.count == 4 }
            try await terminal.type("\u{1D}")
            try await terminal.type("\u{1D}c")
            try await holder.until { $0.typed == Array("a\u{1D}\u{1D}b\u{1D}c".utf8) }
            holder.exit(.exited(0))
        }
        #expect(outcome == .ended(.exited(0)))
    }

    @Test func `can show all output instead of the current screen`() async throws {
        var fixture = AttachFixture()
        fixture.request.showsAllOutput = true
        fixture.holder.write("first ")
        _ = try await fixture.attach { holder, terminal, _ in
            holder.write("last")
            holder.exit(.exited(0))
        }
        #expect(fixture.terminal.text.hasSuffix("\n\u{1B}[H\u{1B}[2Jfirst last"))
        #expect(fixture.holder.attachments.map(\.from) == [0])
    }

    @Test func `resets the modes that the output has set`() async throws {
        var fixture = AttachFixture()
        fixture.clock = EagerClock(limit: .seconds(1))
        _ = try await fixture.attach { holder, terminal, _ in
            holder.write("\u{1B}[?1049h\u{1B}[?1000h\u{1B}]0;ti")
            try await holder.until { _ in terminal.text.contains("]0;ti") }
            try await terminal.type("\u{1D}")
        }
        #expect(fixture.terminal.reset == "\u{1B}\\\u{1B}[?1000l\u{1B}[?1049l")
    }

    @Test func `a read-only client sends neither input nor its size`() async throws {
        var fixture = AttachFixture()
        fixture.clock = EagerClock(limit: .seconds(1))
        fixture.request.isReadOnly = true
        let outcome = try await fixture.attach { _, terminal, _ in
            terminal.resize(100, 40)
            try await terminal.type("rm\r")
            try await terminal.type("\u{1D}")
        }
        #expect(outcome == .detached)
        #expect(fixture.holder.typed.isEmpty && fixture.holder.sizes.isEmpty)
        #expect(fixture.holder.attachments.map(\.size) == [nil])
        #expect(fixture.holder.attachments.map(\.isReadOnly) == [true])
    }

    @Test func `input from a pipe has no detach key, and the end of the pipe has no effect`() async throws {
        let fixture = AttachFixture(FakeTerminal(hasKeyboard: false))
        let outcome = try await fixture.attach { holder, terminal, _ in
            try await terminal.type("a\u{1D}")
            terminal.keys.end()
            try await holder.until { $0.typed == Array("a\u{1D}".utf8) }
            holder.exit(.exited(0))
        }
        #expect(outcome == .ended(.exited(0)))
    }

    @Test func `attaching fails with the holder's error if the connection then ends`() async throws {
        let fixture = AttachFixture()
        await #expect(throws: VTError(.negative, "'build' was lost")) {
            _ = try await fixture.attach { holder, _, _ in
                holder.tell(.failure(VTError(.negative, "'build' was lost")))
                holder.leave()
            }
        }
    }

    @Test func `reports gaps if the output does not go to a screen`() async throws {
        let fixture = AttachFixture(FakeTerminal(hasKeyboard: false, hasScreen: false))
        _ = try await fixture.attach { holder, _, _ in
            holder.tell(.gap(from: 0, to: 10))
            holder.tell(.output(offset: 10, bytes: Array("ten".utf8)))
            holder.tell(.output(offset: 11, bytes: Array("eneleven".utf8)))
            holder.tell(.output(offset: 30, bytes: Array("thirty".utf8)))
            holder.exit(.exited(0))
        }
        #expect(fixture.terminal.text == "teneleventhirty")
        #expect(
            fixture.terminal.notes == [
                "output from offset 0 to 10 is not in the log", "output from offset 19 to 30 is not in the log",
            ]
        )
    }

    @Test func `a new screen replaces the old one`() async throws {
        let fixture = AttachFixture(FakeTerminal(size: nil))
        _ = try await fixture.attach { holder, _, _ in
            holder.tell(.output(offset: 0, bytes: Array("\u{1B}[?1000hold".utf8)))
            holder.tell(.gap(from: 9, to: 50))
            holder.tell(.screen(offset: 50, bytes: Array("fresh".utf8)))
            holder.exit(.exited(0))
        }
        #expect(fixture.terminal.text == "<screen>\u{1B}[?1000hold\u{1B}[?1000lfresh")
        #expect(fixture.terminal.reset == "" && fixture.terminal.notes.isEmpty)
    }

    @Test func `input from a pipe that the session's terminal cannot accept is an error`() async throws {
        let fixture = AttachFixture(FakeTerminal(hasKeyboard: false))
        await #expect(throws: VTError(.dataInvalid, "too long")) {
            _ = try await fixture.attach { holder, _, _ in
                holder.tell(.failure(VTError(.dataInvalid, "too long")))
            }
        }
    }

    // MARK: - Size

    @Test func `sends a new size even if it is the default one`() async throws {
        let fixture = AttachFixture(FakeTerminal(size: TerminalSize(columns: 90, rows: 31)))
        _ = try await fixture.attach { holder, terminal, _ in
            for (columns, rows) in [(132, 43), (80, 24)] {
                terminal.resize(columns, rows)
                try await holder.until { $0.sizes.last == TerminalSize(columns: columns, rows: rows) }
            }
            terminal.resize(80, 24)
            holder.exit(.exited(0))
        }
        #expect(fixture.holder.attachments.first?.size == TerminalSize(columns: 90, rows: 31))
        #expect(fixture.holder.sizes == [TerminalSize(columns: 132, rows: 43), .standard])
    }

    @Test func `another client's size is kept until this client types`() async throws {
        let fixture = AttachFixture()
        let other = try #require(TerminalSize(columns: 100, rows: 30))
        _ = try await fixture.attach { holder, terminal, _ in
            holder.resize(other)
            holder.write("x")
            try await holder.until { _ in terminal.text.hasSuffix("x") }
            #expect(holder.sizes.isEmpty)
            try await terminal.type("y")
            try await holder.until { $0.typed == Array("y".utf8) }
            holder.exit(.exited(0))
        }
        #expect(fixture.holder.sizes == [.standard])
    }

    @Test func `the size is unchanged if resizing is disabled`() async throws {
        var fixture = AttachFixture()
        fixture.request.resizes = false
        _ = try await fixture.attach { holder, terminal, _ in
            terminal.resize(100, 40)
            try await terminal.type("y")
            try await holder.until { $0.typed == Array("y".utf8) }
            holder.exit(.exited(0))
        }
        #expect(fixture.holder.attachments.map(\.size) == [nil])
        #expect(fixture.holder.sizes.isEmpty)
    }

    // MARK: - Terminal queries

    @Test func `the terminal receives no queries of the program if the holder answers them`() async throws {
        let fixture = AttachFixture()
        fixture.holder.setFeatures(SessionFrame.Feature.ofHolders)
        _ = try await fixture.attach { holder, terminal, _ in
            holder.write("a\u{1B}[6nb\u{1B}]11;?\u{7}c\u{1B}]52;c;aGk=\u{7}\u{7}d\u{1B}[>")
            try await holder.until { _ in terminal.text.contains("d") }
            holder.write("qe")
            holder.exit(.exited(0))
        }
        #expect(fixture.terminal.text.hasSuffix("abc\u{1B}]52;c;aGk=\u{7}\u{7}de"))
    }

    @Test func `the terminal receives the program's queries if the holder does not answer them`() async throws {
        let fixture = AttachFixture(FakeTerminal(answersQueries: true))
        _ = try await fixture.attach { holder, terminal, _ in
            holder.write("a\u{1B}[6nb")
            try await holder.until { _ in terminal.text.contains("b") }
            holder.exit(.exited(0))
        }
        #expect(fixture.terminal.text.hasSuffix("a\u{1B}[6nb"))
        #expect(!fixture.terminal.text.contains("]11;?"))
    }

    @Test func `queries the terminal's colors, and delivers input that arrives with the replies`() async throws {
        var fixture = AttachFixture(FakeTerminal(answersQueries: true))
        // A partial reply is delivered as input after a while.
        fixture.clock = StoppedClock()
        fixture.holder.setFeatures(SessionFrame.Feature.ofHolders)
        _ = try await fixture.attach { holder, terminal, _ in
            #expect(terminal.text.hasPrefix("\u{1B}]10;?"))
            try await terminal.type("x\u{1B}]11;rgb:1111/2222/3333\u{1B}\\y\u{1B}[?6")
            try await terminal.type("2cz")
            try await holder.until { $0.typed == Array("xyz".utf8) && $0.colors != nil }
            holder.exit(.exited(0))
        }
        #expect(fixture.holder.colors?[.background] == 0x112233)
    }

    @Test func `redraws the screen of a client that was stopped`() async throws {
        let fixture = AttachFixture()
        fixture.holder.setFeatures(SessionFrame.Feature.ofHolders)
        _ = try await fixture.attach { holder, terminal, _ in
            holder.write("\u{1B}[?1000h\u{1B}]11;#fff\u{7}")
            try await holder.until { _ in !terminal.prepared.isEmpty }
            #expect(terminal.prepared == "\u{1B}\\\u{1B}[?1000l\u{1B}]111\u{1B}\\")
            terminal.suspend()
            try await holder.until { $0.redraws == 1 }
            holder.exit(.exited(0))
        }
        #expect(fixture.terminal.pauses == ["\u{1B}[?1000l\u{1B}]111\u{1B}\\"])
        #expect(fixture.terminal.reset == "")
    }
}

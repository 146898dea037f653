import Arguments
@testable import Commands
import Core
import Recording
import Services
import Storage
import Terminal

/// Documents with fields that real runs rarely produce.
enum JSONSamples {
    struct Sample {
        let type: JSONType
        let document: [UInt8]

        init<Document: JSONValue>(_ document: Document) {
            type = Document.jsonType
            self.document = document.jsonDocument
        }
    }

    static func all() throws -> [Sample] {
        let sources = [.stored, .environment("E"), .file("f"), .command("c")] as [SecretSource]
        return try [
            Sample(ProfileDocument(profile: profile())),
            Sample([
                ProfileDocument(profile: profile()),
                ProfileDocument(profile: Profile(id: "1", name: ProfileName("b"), host: "h", createdAt: time)),
            ]),
            Sample(sources),
            Sample(SessionDocument(session(.exited(1)), profile: "p", isNew: true)),
            Sample([SessionListing.Document.session(SessionDocument(session(nil), profile: nil))]),
            Sample(ForwardDocument(Forward(.local, listener: .socket("/s"), target: .socket("/t")), number: 1)),
            Sample([ServerResult<InstallReport>(.failure(failure), of: "p")]),
            Sample(WaitDocument(outcome: outcome, profile: "p", output: "o", gap: gap)),
            Sample(
                PartialWaitDocument(
                    reference: SessionReference(profile: "p", session: "s"),
                    output: "o",
                    gap: gap
                )
            ),
            Sample([
                DirectoryEntry(name: ByteString([0xff]), attributes: FileAttributes(kind: .link))
            ]),
            Sample(ErrorReport(failure, status: 255)),
            Sample(ErrorReport(ended, status: 1)),
            Sample(FindingsDocument([Finding("c", .warn, "d", hint: "h")], of: "p")),
            Sample(
                SessionScreenCommand.Document(session: session(nil), profile: "p", offset: 1, screen: screen())
            ),
            Sample(CastScreenCommand.Document(file: nil, time: .start, events: 1, screen: screen())),
            Sample([link()]), Sample(pageEvent()), Sample([turn()]), Sample([queueEntry()]), Sample(snapshot()),
            Sample(rollback()),
        ] + events() + knownHosts() + recordings()
    }

    private static let time = Timestamp(seconds: 0)
    private static let failure = VTError(.io, "m", hint: "h", causes: ["c"])
    private static let ended: VTError = {
        var error = failure
        error.sessionEnd = .init(.noMatch, exit: .exited(3))
        return error
    }()

    private static let timing = ExecTiming(start: time, duration: .seconds(1))

    private static func result(_ outcome: ExecOutcome, _ timing: ExecTiming?, _ output: [UInt8], _ error: [UInt8])
        -> ExecResult
    {
        ExecResult(ExecEnd(outcome, timing), target: "t", output: output, errorOutput: error)
    }

    private static func snapshot() -> Snapshot {
        var (snapshot, file) = (Snapshot(), OmittedFile())
        file.path = ByteString([0xff])
        (snapshot.name, snapshot.head, snapshot.omitted) = ("n", "main", [file])
        return snapshot
    }

    private static func rollback() -> RollbackResult {
        var (result, change) = (RollbackResult(), FileChange())
        change.path = ByteString([0xff])
        change.oldPath = change.path
        (result.safety, result.earlierHead, result.changes) = ("s", "main", [change])
        return result
    }

    private static func link() -> PageLink {
        var link = PageLink()
        (link.id, link.session, link.expiresAt, link.url) = ("L1", "s", time, "u")
        return link
    }

    private static func turn() -> Turn {
        var turn = Turn()
        (turn.command, turn.status, turn.directory) = ("c", 1, "/")
        (turn.end, turn.firstOffset, turn.endedAt, turn.duration) = (2, 1, time, .seconds(1))
        return turn
    }

    private static func queueEntry() -> QueueEntry {
        var entry = QueueEntry([0xff], .exec, for: "s", lifetime: .seconds(1)).with(.delivered, "f")
        (entry.sessionID, entry.status, entry.output, entry.omittedBytes) = ("0123456789ab", 1, "o", 2)
        return entry
    }

    private static func pageEvent() -> PageEvent {
        PageEvent(kind: .refused, url: "u", address: "a", link: "L1", role: .read, status: 403, count: 2)
    }

    private static func profile() throws -> Profile {
        var profile = Profile(id: "1", name: try ProfileName("a"), host: "h", createdAt: time)
        (profile.user, profile.jump, profile.proxyCommand, profile.knownHosts) = ("u", "j", "c", "k")
        profile.via = try ViaCommand(parsing: "v")
        profile.link = try HTTPAddress(parsing: "https://example.org/vt/")
        profile.vibeTunnel = try HTTPAddress(parsing: "http://mac.lan:4020")
        profile.authorities = "ca.pem"
        (profile.secretStore, profile.password) = (.secretService, .environment("PASSWORD"))
        (profile.connectTimeout, profile.keepAlive, profile.keepAliveCount) = (.seconds(1), .seconds(2), 3)
        (profile.cwd, profile.shell, profile.note, profile.lastConnectedAt) = ("/", "sh", "n", time)
        profile.environment = ["K": "V"]
        return profile
    }

    private static func session(_ exit: ExitStatus?) throws -> Session {
        let id = SessionID("0123456789ab")
        var session = Session(
            id: try id.orThrow(),
            name: "s",
            state: .running,
            command: ["c"],
            directory: "/",
            size: .standard,
            terminalType: "xterm",
            createdAt: time,
            host: "h",
            bootID: "b",
            version: "1"
        )
        guard exit != nil else { return session }
        (session.startedAt, session.endedAt, session.exit) = (time, time, exit)
        (session.failure, session.sentOffset, session.logStoppedAt) = ("f", 1, 2)
        (session.logsInput, session.clients, session.survival) = (true, 1, Survival.Mode.dies.rawValue)
        session.isReading = true
        session.keepFor = .seconds(1)
        let object = Array(#"{"id":"1","activityStatus":{"isActive":true}}"#.utf8)
        session.vibeTunnel = ForeignJSON(try JSONOutlineParser.parse(object), in: object)
        session.program = SessionProcess(processID: 1, startTicks: 1)
        return session
    }

    private static let gap = LimitedOutput.Gap(from: 1, to: 2, cutsLine: false)

    private static var outcome: WaitOutcome {
        get throws {
            let exit = Core.ExitStatus.signalled(SignalName("KILL"), coreDumped: true)
            var outcome = WaitOutcome(try session(exit), .failMatch, offset: 1, elapsed: .seconds(1))
            outcome.expression = "e"
            (outcome.match, outcome.line, outcome.row, outcome.commandExit) = ("m", "l", 0, 1)
            return outcome
        }
    }

    private static func events() -> [Sample] {
        [
            Sample(ExecEvent(.stdout, target: "t", bytes: Array("x".utf8))),
            Sample(ExecEvent(.stderr, target: "t", bytes: [0xff])),
            Sample(ExecEvent(ExecEnd(.ended(.exited(1)), timing), target: "t")),
            Sample(ExecEvent(ExecEnd(.ended(.unknown)), target: "t")),
            Sample(ExecEvent(ExecEnd(.failed(failure)), target: "t")),
            Sample(ExecEvent(ExecEnd(.skipped), target: "t")),
            Sample(ExecEvent(ExecEnd(.aborted(.mayBeRunning)), target: "t")),
            Sample(result(.ended(.exited(1)), timing, [0xff], [0x78])),
            Sample(result(.failed(failure), nil, [0x78], [0xff])),
            Sample(result(.skipped, nil, [], [])),
            Sample(
                ExecResult(ExecEnd(.aborted(.ended)), target: "t", outputFile: "t.stdout", errorOutputFile: "t.stderr")
            ),
            Sample(ShardDocument(shard: 1, shards: 4, targets: 100)),
            Sample(EventPrinter.Event(event: .output, offset: 0, base64: "/w==")),
            Sample(EventPrinter.Event(event: .gap, from: 0, to: 1)),
            Sample(
                EventPrinter.Event(event: .end, offset: 1, state: .exited, exit: .exited(0))
            ),
        ]
    }

    private static func knownHosts() -> [Sample] {
        let key = KnownHost(
            names: "h",
            marker: .revoked,
            keyType: "t",
            fingerprint: "f",
            file: "f",
            line: 1,
            isOwn: true
        )
        return [Sample([key])]
    }

    private static func recordings() -> [Sample] {
        [Sample(CastGrepCommand.MatchDocument(file: "f", time: 1.5, row: nil, line: "l", match: "m"))]
    }

    /// A screen with everything that its document can contain.
    private static func screen() throws -> Screen {
        var emulator = Emulator(size: try TerminalSize(columns: 10, rows: 4).orThrow())
        let lines = [
            "\u{1b}]2;title\u{7}\u{1b}]7;file:///\u{7}gone\r\n\n\n\n",
            "\u{1b}]133;A\u{7}$ \u{1b}]133;B\u{7}x\r\n\u{1b}]133;C\u{7}\u{1b}]133;D;1\u{7}",
            "\u{1b}[1;31;48;2;1;2;3;4:3;58;5;4mstyle\u{1b}[0m\r\n\u{1b}#6",
            "\u{1b}]8;id=i;http://x/\u{7}link\u{1b}]8;;\u{7}\r\n0123456789012\r\n\n0123456789",
            "\u{1b}]10;#123456\u{7}\u{1b}]11;#234567\u{7}\u{1b}]12;#345678\u{7}\u{1b}]4;1;#456789\u{7}",
        ]
        emulator.feed(Array(lines.joined().utf8))
        return emulator.screen(scrollback: 100)
    }
}

private struct Missing: Error {}

extension Optional {
    fileprivate func orThrow() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}

import Core
import CoreTestSupport
import Recording
@testable import Services
import Testing

@Suite struct SessionCallTests {
    private static func calls() throws -> [SessionCall] {
        var creation = SessionCreation(name: try SessionName("build"), command: ["a", "", ByteString([255, 1])])
        creation.directory = "/srv/\u{1B}"
        creation.variables = [try EnvironmentVariable("A=x\ny"), try EnvironmentVariable("B=")]
        creation.size = try TerminalSize(parsing: "90x30")
        creation.keepFor = .seconds(60)
        creation.ifExists = .replace
        creation.logLimitBytes = 7
        (creation.logsInput, creation.mustSurvive) = (true, true)
        var sentWait = WaitRequest([.prompt], from: 9)
        (sentWait.sent, sentWait.includesOutput) = ([0, 255, 13], true)
        var request = RecordRequest()
        request.format = .txt
        (request.start, request.end) = (.marker("m"), .part(500_000))
        (request.follows, request.includesInput, request.title, request.theme) = (true, true, "t", "dark")
        (request.idleLimit, request.limitBytes) = (.milliseconds(1500), 9)
        let expression = WaitCondition.match(try LinePattern("A", ignoresCase: true), text: "A")
        let machine: [any SessionVerb] = [
            creation, SessionCreation(name: try SessionName("empty"), command: []),
            ListRequest(), ListRequest(SessionFilter(state: .lost, tags: ["a", "b"], endedFor: .seconds(3))),
            DoctorRequest(), CleanupRequest([], SessionFilter(state: .exited), isDryRun: true),
            CleanupRequest(["a"]),
        ]
        let session: [any SessionVerb] = [
            ShowRequest(), ConnectRequest(), LogsRequest(from: .offset(9), follows: true),
            LogsRequest(from: .lastLines(0)), LogsRequest(from: .time(Timestamp(seconds: 60))),
            LogsRequest(from: .last(.milliseconds(1500))), request, RecordRequest(),
            SendRequest([0, 255, 10], waits: true, timeout: .seconds(1)), SendRequest([]),
            Suspension.freeze, Suspension.pause, Suspension.forcedPause, Suspension.resume,
            WaitRequest([expression], from: 3, timeout: .seconds(2)), sentWait, WaitRequest([.exit]),
            WaitRequest([.prompt]), WaitRequest([.idle(.seconds(2))]),
            WaitRequest([
                .match(try LinePattern("a"), text: "a"), .match(try LinePattern("b"), text: "b"),
                .match(try LinePattern("c"), text: "c", isFailure: true), .idle(.seconds(2)), .prompt, .exit,
            ]),
            LineExecution([97, 10, 0xC3, 0xA9]), StateRequest(String(repeating: "a", count: SessionFrame.tokenBytes)),
            TurnFilter(number: -1), SnapshotsRequest(), SnapshotRequest(), SnapshotRemoval(["a", "b"]),
            RollbackRequest("s"), DiffRequest(), ScreenRequest(),
            ScreenRequest(offset: 1, size: .standard, scrollback: 5), ResizeRequest(to: .standard), MarkRequest(),
            MarkRequest(try MarkerLabel("a b")), RenameRequest(to: try SessionName("other")),
            KillRequest(SignalName("INT"), grace: .seconds(3)), KillRequest(), QuestionRequest(.wait),
            QuestionRequest(.ask, "log in\u{1B}", timeout: .seconds(1)), QuestionRequest(.done),
        ]
        return machine.map { SessionCall($0) } + session.map { SessionCall($0, on: "build") }
    }

    @Test func `encoding and decoding preserve a call`() throws {
        for call in try Self.calls() {
            let (json, data) = try Self.encoded(call)
            #expect(try SessionCall.dataBytes(of: json) == data.count)
            let decoded = try SessionCall(json, data: data)
            // The encoding contains all values, some of which are not comparable.
            #expect(
                String(decoding: try Self.encoded(decoded).json, as: UTF8.self) == String(decoding: json, as: UTF8.self)
            )
            #expect(try Self.encoded(decoded).data == data)
        }
    }

    @Test(arguments: [
        #"{"call":"fly","session":"b"}"#, #"{"call":"show","session":"b","fast":true}"#, "[]", "{",
        #"{"call":"resize","session":"b","size":"0x0"}"#, #"{"call":"wait","session":"b","moon":true}"#,
        #"{"call":"rename","session":"b"}"#, #"{"call":"mark","session":"b","label":"\n"}"#,
        #"{"call":"cleanup","session":"b"}"#, #"{"call":"list","session":"b"}"#,
        #"{"call":"cleanup","sessions":null}"#,
        #"{"call":"kill","session":"b","signal":null}"#, #"{"call":"show","session":null}"#,
        #"{"call":"exec","session":"b"}"#,
        #"{"call":"create","name":"b","words":2}"#,
        #"{"call":"create","name":"b","words":-1}"#,
    ])
    func `rejects a call or an argument that it does not know`(json: String) {
        let error = #expect(throws: VTError.self) { try SessionCall(Array(json.utf8), data: []) }
        #expect(error?.code == .protocolViolation)
    }

    @Test func `rejects words that are cut off`() {
        let error = #expect(throws: VTError.self) {
            try SessionCall(Array(#"{"call":"create","name":"b","words":2}"#.utf8), data: Array("a\0b".utf8))
        }
        #expect(error?.code == .protocolViolation)
    }

    private static func encoded(_ call: SessionCall) throws -> (json: [UInt8], data: [UInt8]) {
        guard case .call(let json)? = call.frames.first else { throw VTError(.internal, "no call") }
        var data: [UInt8] = []
        for case .data(let bytes) in call.frames { data += bytes }
        return (json, data)
    }
}

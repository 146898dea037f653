import Foundation
import TestSupport
import Testing

/// Compares the facts with captures of programs of VibeTunnel in the folder that `VT_CONFORMANCE` names, without times.
@Suite(.enabled(if: folder != nil))
struct VibeTunnelCaptureTests {
    typealias Facts = VibeTunnelFacts

    private static func text(_ name: String) throws -> String {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder ?? "")/\(name)"))
        return String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    }

    private static func objects(_ name: String) throws -> [[String: Any]] {
        try text(name).split(separator: "\n").map { try JSON.object($0.utf8) }
    }

    private func plain(_ value: Any) -> Any {
        if let values = value as? [Any] { return values.map(plain) }
        guard let object = value as? [String: Any] else { return value }
        let times: Set = ["timestamp", "startedAt", "lastModified"]
        return Dictionary(uniqueKeysWithValues: object.map { ($0, times.contains($0) ? "a time" : plain($1)) })
    }

    @Test func `the expected answers are those of the server of June 2025`() throws {
        var names: [String: String] = [:]
        let index = try Self.objects("go-capture/index.jsonl")
        try #require(index.count == Facts.requests.count)
        for (entry, request) in zip(index, Facts.requests) {
            #expect(entry["name"] as? String == request.name)
            let file = try Self.text("go-capture/\(try #require(entry["file"] as? String))")
            let sent = file.components(separatedBy: "\n<<< response")[0].components(separatedBy: "\n\n").dropFirst()
            let given = sent.joined(separator: "\n\n").trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try given.isEmpty ? request.body == nil : canonical(given) == canonical(request.body ?? ""))
            let found = entry["body"] as? String ?? ""
            if request.answer == Facts.created {
                names["{id}"] = try JSON.object(found.utf8)["sessionId"] as? String
                names["{first}"] = names["{first}"] ?? names["{id}"]
            }
            #expect(request.path(names) == entry["path"] as? String)
            #expect(entry["status"] as? Int ?? 0 == request.status ?? 0)
            guard request.status != nil, request.answer != #""{any}""# else { continue }
            let (answer, expected) = (try JSON.value(found.utf8), try JSON.value(request.answer.utf8))
            expect(plain(answer), is: plain(expected), names, request.name)
        }
        for (stream, expected) in Facts.streams {
            let lines = try Self.text("go-capture/stream-\(stream).sse").split(separator: "\n")
            let events = try lines.filter { $0.hasPrefix("data: ") }.map { try JSON.value($0.dropFirst(6).utf8) }
            names["{id}"] = (events.last as? [Any])?[2] as? String
            expect(plain(Facts.joined(events)), is: plain(expected), names)
        }
    }

    private func canonical(_ text: String) throws -> String { JSON.text(try JSON.value(text.utf8)) }

    @Test func `the expected frames are those of version 3`() throws {
        let frames = try Self.objects("v3-capture/frames.jsonl")
        let sent = frames.filter { $0["dir"] as? String == "c" }
        try #require(sent.count == Facts.frames.count)
        for (entry, (message, _)) in zip(sent, Facts.frames) {
            guard case .frame(let kind, let session, let payload) = message else { continue }
            let hex = RawVibeTunnelFrame.encode(kind, session, payload).map { String(format: "%02x", $0) }.joined()
            #expect(entry["hex"] as? String == hex)
        }
        let kinds: [String: VibeTunnelMessage.Kind] = [
            "WELCOME": .welcome, "STDOUT": .output, "SNAPSHOT": .snapshot, "EVENT": .event, "ERROR": .failure,
            "PONG": .pong,
        ]
        var received: [VibeTunnelMessage] = []
        var isJoined = false
        for entry in frames {
            defer { isJoined = entry["dir"] as? String != "c" }
            guard entry["dir"] as? String != "c" else { continue }
            let kind = try #require(kinds[entry["type"] as? String ?? ""])
            let session = try #require(entry["session"] as? String)
            let text = entry["payload"] as? String ?? ""
            if isJoined, kind == .output, let last = received.last, last.kind == .output, last.session == session {
                received[received.count - 1] = VibeTunnelMessage(.output, try last.text + text, in: session)
            } else {
                received.append(VibeTunnelMessage(kind, text, in: session))
            }
        }
        let welcome = received.removeFirst()
        #expect(welcome.kind == .welcome && welcome.session == "")
        #expect(try canonical(welcome.text) == #"{"ok":true,"version":3}"#)
        var expected = Facts.frames.flatMap { $0.1 }
        expected.insert(VibeTunnelMessage(.event, Facts.news, in: "s2"), at: expected.count - 1)
        try #require(received.count == expected.count)
        for (found, expected) in zip(received, expected) {
            #expect(found.kind == expected.kind && found.session == expected.session)
            switch found.kind {
            case .pong, .snapshot: break
            case .output: #expect(try found.text == expected.text)
            default:
                expect(plain(try JSON.value(found.payload)), is: plain(try JSON.value(expected.payload)))
            }
        }
    }
}

private let folder = ProcessInfo.processInfo.environment["VT_CONFORMANCE"].map { "\($0)/vibetunnel" }

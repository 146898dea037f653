import Foundation
import Testing
import VibeTunnel

/// Messages of upstream's programs, if available: `VT_CONFORMANCE` names their folder.
struct CapturedFrameTests {
    private static let folder = ProcessInfo.processInfo.environment["VT_CONFORMANCE"].map { "\($0)/vibetunnel" }

    private static func lines(_ name: String) throws -> [[String: Any]] {
        let text = try String(contentsOfFile: "\(folder ?? "")/\(name)", encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test(.enabled(if: folder != nil))
    func `captured frames are decoded and encoded to the same bytes`() throws {
        for line in try Self.lines("v3-capture/frames.jsonl") {
            guard let hexadecimal = line["hex"] as? String, line["type"] is String else { continue }
            let frame = try #require(VibeTunnelFrame(message: bytes(hexadecimal)))
            #expect(frame.encoded == bytes(hexadecimal))
            #expect(frame.session == line["session"] as? String)
            guard frame.kind == .snapshot else { continue }
            #expect(try #require(VibeTunnelSnapshot(frame.payload)).encoded == frame.payload)
        }
    }

    @Test(.enabled(if: folder != nil))
    func `golden frames and snapshots are decoded and encoded to the same bytes`() throws {
        let path = "\(Self.folder ?? "")/v3-capture/golden.json"
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let golden = try #require(object as? [String: String])
        for (name, hexadecimal) in golden {
            let message = bytes(hexadecimal)
            let encoded =
                name.hasPrefix("snapshot")
                ? VibeTunnelSnapshot(message)?.encoded : VibeTunnelFrame(message: message)?.encoded
            #expect(encoded == message, "\(name)")
        }
    }

    @Test(.enabled(if: folder != nil))
    func `captured snapshots are decoded and encoded to the same bytes`() throws {
        for line in try Self.lines("go-capture/buffers.jsonl") where line["kind"] as? String == "binary" {
            let message = bytes(try #require(line["data"] as? String))
            let buffer = try #require(VibeTunnelBuffer(message: message))
            #expect(buffer.encoded == message)
            #expect(try #require(VibeTunnelSnapshot(buffer.snapshot)).encoded == buffer.snapshot)
        }
    }
}

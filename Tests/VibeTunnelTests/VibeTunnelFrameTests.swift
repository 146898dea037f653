import Core
import TestSupport
import Testing
import VibeTunnel

struct VibeTunnelFrameTests {
    /// Frames that upstream's code has encoded.
    private static let golden: [(frame: VibeTunnelFrame, hexadecimal: String)] = [
        (
            .text(.welcome, "", #"{"ok":true,"version":3}"#),
            "5456030200000000170000007b226f6b223a747275652c2276657273696f6e223a337d"
        ),
        (.subscribe("ab", to: [.output, .events]), "5456030a0200000061620c000000050000000000000000000000"),
        (.subscribe("", to: .events), "5456030a000000000c000000040000000000000000000000"),
        (VibeTunnelFrame(.unsubscribe, "ab"), "5456030b02000000616200000000"),
        (.text(.text, "ab", "ls\r"), "5456031e020000006162030000006c730d"),
        (.text(.key, "ab", "arrow_up"), "5456031f020000006162080000006172726f775f7570"),
        (VibeTunnelFrame(.kill, "ab"), "5456032102000000616200000000"),
        (.text(.kill, "ab", "SIGINT"), "5456032102000000616206000000534947494e54"),
        (VibeTunnelFrame(.resetSize, "ab"), "5456032202000000616200000000"),
        (VibeTunnelFrame(.ping, "", [1, 2, 3]), "545603280000000003000000010203"),
        (VibeTunnelFrame(.pong, "", [1, 2, 3]), "545603290000000003000000010203"),
        (.text(.output, "ab", "é\r\n"), "5456031402000000616204000000c3a90d0a"),
        (
            .text(.event, "s1", #"{"kind":"resize","dimensions":"132x43"}"#),
            "54560316020000007331270000007b226b696e64223a22726573697a65222c2264696d656e73696f6e73223a22313332783433227d"
        ),
        (
            .text(.event, "s2", #"{"kind":"exit","exitCode":3}"#),
            "545603160200000073321c0000007b226b696e64223a2265786974222c2265786974436f6465223a337d"
        ),
        (
            .text(.error, "s1", #"{"message":"Invalid SUBSCRIBE payload"}"#),
            "54560317020000007331270000007b226d657373616765223a22496e76616c696420535542534352494245207061796c6f6164227d"
        ),
    ]

    @Test(arguments: golden)
    func `frames are those of upstream`(_ frame: VibeTunnelFrame, _ hexadecimal: String) {
        #expect(frame.encoded == bytes(hexadecimal))
        #expect(VibeTunnelFrame(message: bytes(hexadecimal)) == frame)
    }

    @Test func `a request to resize contains a size`() throws {
        let size = try TerminalSize(parsing: "132x43")
        let frame = VibeTunnelFrame.resize("ab", to: size)
        #expect(frame.encoded == bytes("5456032002000000616208000000840000002b000000"))
        #expect(frame.size == size)
        #expect(frame.channels == nil)
    }

    @Test func `a subscription contains channels`() {
        #expect(VibeTunnelFrame.subscribe("ab", to: [.output, .events]).channels == [.output, .events])
        #expect(VibeTunnelFrame(.subscribe, "ab", [1]).channels == nil)
        #expect(VibeTunnelFrame(.resize, "ab", [1]).size == nil)
        #expect(VibeTunnelFrame(.resize, "ab", [UInt8](repeating: 0, count: 8)).size == nil)
        #expect(VibeTunnelFrame(.resize, "ab", [UInt8](repeating: 255, count: 8)).size == nil)
    }

    @Test func `bytes after the payload are ignored`() {
        let message = VibeTunnelFrame(.unsubscribe, "ab").encoded + [1, 2]
        #expect(VibeTunnelFrame(message: message) == VibeTunnelFrame(.unsubscribe, "ab"))
    }

    @Test(arguments: [
        "0001676172626167652d67617262616765", "5456036302000000733100000000", "5456020b02000000616200000000",
        "5456030b02000000616201000000", "5456030bffffffff616200000000", "5456030b02000000 6162 ffffffff", "",
    ])
    func `malformed and unknown frames are ignored`(_ hexadecimal: String) {
        #expect(VibeTunnelFrame(message: bytes(hexadecimal)) == nil)
    }

    @Test func `a message of more than 4 MiB is ignored`() {
        let rest = [UInt8](repeating: 0, count: 4 << 20)
        #expect(VibeTunnelFrame(message: VibeTunnelFrame(.output, "", rest.dropLast(12)).encoded) != nil)
        #expect(VibeTunnelFrame(message: VibeTunnelFrame(.output, "", rest).encoded) == nil)
    }

    @Test func `each part of a frame is incomplete`() {
        for (frame, _) in Self.golden {
            let message = frame.encoded
            for length in 0..<message.count { #expect(VibeTunnelFrame(message: Array(message.prefix(length))) == nil) }
        }
    }

    @Test(arguments: 0..<50)
    func `random changes of frames and envelopes do not trap`(_ seed: Int) {
        var random = SeededGenerator(spreading: seed)
        for (frame, _) in Self.golden {
            var message = frame.encoded
            for _ in 0...random.next(4) { message[random.next(message.count)] = UInt8(random.next(256)) }
            if let changed = VibeTunnelFrame(message: message) {
                _ = (changed.channels, changed.size, changed.text)
                #expect(VibeTunnelFrame(message: changed.encoded) == changed)
            }
            message[0] = 0xBF
            if let buffer = VibeTunnelBuffer(message: message) { _ = VibeTunnelSnapshot(buffer.snapshot) }
        }
    }
}

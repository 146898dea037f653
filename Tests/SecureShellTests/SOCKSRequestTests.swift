import Core
import Testing

@testable import SecureShell

@Suite struct SOCKSRequestTests {
    private static let granted4: [UInt8] = [0, 90, 0, 0, 0, 0, 0, 0]
    private static let refused4: [UInt8] = [0, 91, 0, 0, 0, 0, 0, 0]

    private static func reply5(_ code: UInt8) -> [UInt8] { [5, code, 0, 1, 0, 0, 0, 0, 0, 0] }

    static let requests: [(bytes: [UInt8], host: String)] = [
        ([4, 1, 0, 80, 10, 0, 0, 1] + Array("user\0".utf8), "10.0.0.1"),
        ([4, 1, 0, 80, 0, 0, 0, 1] + Array("\0web\0".utf8), "web"),
        ([5, 1, 0, 5, 1, 0, 1, 10, 0, 0, 1, 0, 80], "10.0.0.1"),
        ([5, 2, 2, 0, 5, 1, 0, 3, 3] + Array("web".utf8) + [0, 80], "web"),
        ([5, 1, 0, 5, 1, 0, 4, 0x20, 1] + [UInt8](repeating: 0, count: 13) + [1, 0, 80], "2001:0:0:0:0:0:0:1"),
    ]

    /// Feeds bytes one at a time, and returns the last step and everything that was answered before it.
    private func run(_ request: inout SOCKSRequest, _ bytes: [UInt8]) -> (last: SOCKSRequest.Step, answers: [UInt8]) {
        var answers: [UInt8] = []
        for byte in bytes {
            request.receive([byte])
            var step = request.next()
            while case .answer(let answer) = step {
                answers += answer
                step = request.next()
            }
            guard step == .needsBytes else { return (step, answers) }
        }
        return (.needsBytes, answers)
    }

    @Test(arguments: requests)
    func `finds the address in a request, however it is split`(bytes: [UInt8], host: String) {
        var request = SOCKSRequest()
        let (step, answers) = run(&request, bytes)
        #expect(step == .connect(Endpoint(host: host, port: 80)))
        #expect(answers == (bytes[0] == 5 ? [5, 0] : []))
        #expect(request.reply(isConnected: true) == (bytes[0] == 5 ? Self.reply5(0) : Self.granted4))
        #expect(request.reply(isConnected: false) == (bytes[0] == 5 ? Self.reply5(1) : Self.refused4))
    }

    @Test func `bytes after the request are data`() {
        var request = SOCKSRequest()
        request.receive([4, 1, 0, 80, 10, 0, 0, 1, 0, 1, 2, 3])
        #expect(request.next() == .connect(Endpoint(host: "10.0.0.1", port: 80)))
        #expect(request.bytes == [1, 2, 3])
    }

    static let refusals: [(bytes: [UInt8], answer: [UInt8])] = [
        (Array("GET / HTTP/1.1".utf8), []),
        ([5, 1, 2], [5, 0xff]),
        ([5, 0], [5, 0xff]),
        ([4, 2, 0, 80, 10, 0, 0, 1, 0], refused4),
        ([4, 1, 0, 0, 10, 0, 0, 1, 0], refused4),
        ([4, 1, 0, 80, 0, 0, 0, 1, 0] + Array("a b\0".utf8), refused4),
        ([5, 1, 0, 5, 2, 0, 1, 10, 0, 0, 1, 0, 80], reply5(7)),
        ([5, 1, 0, 5, 3, 0, 1, 10, 0, 0, 1, 0, 80], reply5(7)),
        ([5, 1, 0, 5, 1, 0, 2], reply5(8)),
        ([5, 1, 0, 5, 1, 0, 3, 0, 0, 80], reply5(1)),
        ([5, 1, 0, 5, 1, 0, 3, 2, 0xff, 0, 0, 80], reply5(1)),
        ([5, 1, 0, 4, 1, 0, 1], []),
        ([4, 1, 0, 80, 10, 0, 0, 1] + [UInt8](repeating: 65, count: 2000), []),
    ]

    @Test(arguments: refusals)
    func `refuses what it does not support, and hostile input`(bytes: [UInt8], answer: [UInt8]) {
        var request = SOCKSRequest()
        guard case .refuse(let refusal, _) = run(&request, bytes).last else {
            Issue.record("not refused")
            return
        }
        #expect(refusal == answer)
    }
}

import Core

extension MuxFrame: WireChoice {
    static let wireCases: [WireCase<MuxFrame>] = [
        WireCase(1, MuxFrame.hello) { if case .hello(let hello) = $0 { hello } else { nil } },
        WireCase(2, { (secret: WireOptional<Secret>) in .secret(secret.value) }) {
            if case .secret(let secret) = $0 { WireOptional(secret) } else { nil }
        },
        WireCase(3, .open),
        WireCase(4, MuxFrame.run) { if case .run(let request) = $0 { request } else { nil } },
        WireCase(6, .inputEnd),
        WireCase(7, MuxFrame.resize) { if case .resize(let size) = $0 { size } else { nil } },
        WireCase(8, .ping),
        WireCase(9, .status),
        WireCase(10, .close),
        WireCase(11, MuxFrame.signal) { if case .signal(let name) = $0 { name } else { nil } },
        WireCase(64, .connecting),
        WireCase(65, MuxFrame.step) { if case .step(let name, let step) = $0 { (name, step) } else { nil } },
        WireCase(66, MuxFrame.note) { if case .note(let text) = $0 { text } else { nil } },
        WireCase(67, MuxFrame.wantsSecret) {
            if case .wantsSecret(let purpose, let depth) = $0 { (purpose, depth) } else { nil }
        },
        WireCase(68, MuxFrame.ready) { if case .ready(let processID) = $0 { processID } else { nil } },
        WireCase(69, .stale),
        WireCase(70, MuxFrame.failed) { if case .failed(let error) = $0 { error } else { nil } },
        WireCase(71, .opened),
        WireCase(72, .full),
        WireCase(75, MuxFrame.credit) { if case .credit(let count) = $0 { count } else { nil } },
        WireCase(76, MuxFrame.exited) { if case .exited(let status) = $0 { status } else { nil } },
        WireCase(77, .pong),
        WireCase(78, MuxFrame.report) { if case .report(let report) = $0 { report } else { nil } },
        WireCase(79, MuxFrame.asks) { if case .asks(let prompt) = $0 { prompt } else { nil } },
    ]

    /// The numbers of the frames whose payload is the bytes of a stream, which are not copied again.
    private enum Stream: UInt8 {
        case input = 5
        case output = 73
        case errorOutput = 74
    }

    /// Everything in a frame of output before its `count` bytes, which follow unchanged.
    static func outputHead(isError: Bool, count: Int) -> [UInt8] {
        head(isError ? .errorOutput : .output, count: count)
    }

    private static func head(_ stream: Stream, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(5 + (stream == .input ? count : 0))
        bytes.appendUInt32(UInt32(count + 1))
        bytes.append(stream.rawValue)
        return bytes
    }

    /// The frame in its wire format.
    var encoded: [UInt8] {
        switch self {
        case .input(let bytes): return Self.head(.input, count: bytes.count) + bytes
        case .output(let bytes): return Self.head(.output, count: bytes.count) + bytes
        case .errorOutput(let bytes): return Self.head(.errorOutput, count: bytes.count) + bytes
        default:
            let content = wireBytes
            return UInt32(content.count).wireBytes + content
        }
    }

    /// Decodes a frame from its kind and payload; nil for an unknown kind or a payload that does not match its kind.
    init?(kind: UInt8, payload: [UInt8]) {
        switch Stream(rawValue: kind) {
        case .input: self = .input(payload)
        case .output: self = .output(payload)
        case .errorOutput: self = .errorOutput(payload)
        case nil: self.init(wireBytes: ([kind] + payload)[...])
        }
    }
}

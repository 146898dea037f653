import Core

extension MuxFrame {
    /// The frame kinds by number.
    private enum Kind: UInt8 {
        case hello = 1
        case secret, open, run, input, inputEnd, resize, ping, status, close
        case connecting = 64
        case step, note, wantsSecret, ready, stale, failed, opened, full, output, errorOutput, credit, exited
        case pong, report, asks
    }

    /// Everything in a frame of output before its `count` bytes, which follow unchanged.
    static func outputHead(isError: Bool, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendUInt32(UInt32(count + 1))
        bytes.append((isError ? Kind.errorOutput : .output).rawValue)
        return bytes
    }

    /// The frame in its wire format.
    var encoded: [UInt8] {
        var payload: [UInt8] = []
        let kind = encode(into: &payload)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(5 + payload.count)
        bytes.appendUInt32(UInt32(payload.count + 1))
        bytes.append(kind.rawValue)
        bytes += payload
        return bytes
    }

    private func encode(into payload: inout [UInt8]) -> Kind {
        switch self {
        case .hello(let hello):
            payload.appendHello(hello)
            return .hello
        case .secret(let secret):
            payload.appendOptional(secret) { $0.appendString($1.bytes) }
            return .secret
        case .open: return .open
        case .run(let request):
            payload.appendRequest(request)
            return .run
        case .input(let bytes):
            payload = bytes
            return .input
        case .inputEnd: return .inputEnd
        case .resize(let size):
            payload.appendSize(size)
            return .resize
        case .ping: return .ping
        case .status: return .status
        case .close: return .close
        default: return encodeAnswer(into: &payload)
        }
    }

    /// Encodes the frames that the mux server sends.
    private func encodeAnswer(into payload: inout [UInt8]) -> Kind {
        switch self {
        case .step(let name, let step):
            payload.appendText(name)
            payload.appendStep(step)
            return .step
        case .note(let text):
            payload.appendText(text)
            return .note
        case .wantsSecret(let purpose, let depth):
            payload.appendText(purpose.rawValue)
            payload.append(depth)
            return .wantsSecret
        case .asks(let prompt):
            payload.appendPrompt(prompt)
            return .asks
        case .ready(let processID):
            payload.appendBigEndian(processID)
            return .ready
        case .stale: return .stale
        case .failed(let error):
            payload.appendError(error)
            return .failed
        case .opened: return .opened
        case .full: return .full
        case .output(let bytes):
            payload = bytes
            return .output
        case .errorOutput(let bytes):
            payload = bytes
            return .errorOutput
        case .credit(let count):
            payload.appendUInt32(count)
            return .credit
        case .exited(let status):
            payload.appendExitStatus(status)
            return .exited
        case .pong: return .pong
        case .report(let report):
            payload.appendReport(report)
            return .report
        default: return .connecting
        }
    }

    // MARK: - Decoding

    /// Decodes a frame from its kind and payload; nil for an unknown kind or a payload that does not match its kind.
    init?(kind: UInt8, payload: [UInt8]) {
        guard let kind = Kind(rawValue: kind) else { return nil }
        switch kind {
        // Streams are not copied again.
        case .input: self = .input(payload)
        case .output: self = .output(payload)
        case .errorOutput: self = .errorOutput(payload)
        default:
            var reader = WireReader(payload[...])
            guard let frame = Self.request(kind, &reader) ?? Self.answer(kind, &reader), reader.isAtEnd else {
                return nil
            }
            self = frame
        }
    }

    private static func request(_ kind: Kind, _ reader: inout WireReader) -> MuxFrame? {
        switch kind {
        case .hello: reader.hello().map { .hello($0) }
        case .secret: reader.secret().map { .secret($0) }
        case .open: .open
        case .run: reader.request().map { .run($0) }
        case .inputEnd: .inputEnd
        case .resize: reader.size().map { .resize($0) }
        case .ping: .ping
        case .status: .status
        case .close: .close
        default: nil
        }
    }

    private static func answer(_ kind: Kind, _ reader: inout WireReader) -> MuxFrame? {
        switch kind {
        case .connecting: return .connecting
        case .step:
            guard let name = reader.text(), let step = reader.step() else { return nil }
            return .step(name: name, step)
        case .note: return reader.text().map { .note($0) }
        case .wantsSecret:
            guard let purpose = reader.text().flatMap(SecretKey.Purpose.init), let depth = reader.byte() else {
                return nil
            }
            return .wantsSecret(purpose, depth: depth)
        case .asks: return reader.prompt().map { .asks($0) }
        case .ready: return reader.uint32().map { .ready(processID: Int32(bitPattern: $0)) }
        case .stale: return .stale
        case .failed: return reader.error().map { .failed($0) }
        case .opened: return .opened
        case .full: return .full
        case .credit: return reader.uint32().map { .credit($0) }
        case .exited: return reader.exitStatus().map { .exited($0) }
        case .pong: return .pong
        case .report: return reader.report().map { .report($0) }
        default: return nil
        }
    }
}

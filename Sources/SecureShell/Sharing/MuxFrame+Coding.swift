import Core

extension MuxFrame {
    /// The frame kinds by number.
    private enum Kind: UInt8 {
        case hello = 1
        case secret, open, run, input, inputEnd, resize, ping, status, close, signal
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
        let (kind, payload) = parts
        return [UInt8](frame: kind.rawValue, payload)
    }

    private var parts: (kind: Kind, payload: [UInt8]) {
        switch self {
        case .hello(let hello): (.hello, hello.wireBytes)
        case .secret(let secret): (.secret, secret.map { [1] + $0.wireBytes } ?? [0])
        case .open: (.open, [])
        case .run(let request): (.run, request.wireBytes)
        case .input(let bytes): (.input, bytes)
        case .inputEnd: (.inputEnd, [])
        case .resize(let size): (.resize, size.wireBytes)
        case .signal(let name): (.signal, name.text.wireBytes)
        case .ping: (.ping, [])
        case .status: (.status, [])
        case .close: (.close, [])
        case .connecting: (.connecting, [])
        case .step(let name, let step): (.step, name.wireBytes + step.wireBytes)
        case .note(let text): (.note, text.wireBytes)
        case .wantsSecret(let purpose, let depth): (.wantsSecret, purpose.rawValue.wireBytes + [depth])
        case .asks(let prompt): (.asks, prompt.wireBytes)
        case .ready(let processID): (.ready, processID.wireBytes)
        case .stale: (.stale, [])
        case .failed(let error): (.failed, error.wireBytes)
        case .opened: (.opened, [])
        case .full: (.full, [])
        case .output(let bytes): (.output, bytes)
        case .errorOutput(let bytes): (.errorOutput, bytes)
        case .credit(let count): (.credit, count.wireBytes)
        case .exited(let status): (.exited, status.wireBytes)
        case .pong: (.pong, [])
        case .report(let report): (.report, report.wireBytes)
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
        case .hello: reader.value().map { .hello($0) }
        case .secret: reader.bool().flatMap { $0 ? reader.value().map { .secret($0) } : .secret(nil) }
        case .open: .open
        case .run: reader.value().map { .run($0) }
        case .inputEnd: .inputEnd
        case .resize: reader.value().map { .resize($0) }
        case .signal: reader.text().map { .signal(SignalName($0)) }
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
            guard let name = reader.text(), let step: ConnectionStep = reader.value() else { return nil }
            return .step(name: name, step)
        case .note: return reader.text().map { .note($0) }
        case .wantsSecret:
            guard let purpose = reader.text().flatMap(SecretKey.Purpose.init), let depth = reader.byte() else {
                return nil
            }
            return .wantsSecret(purpose, depth: depth)
        case .asks: return reader.value().map { .asks($0) }
        case .ready: return reader.uint32().map { .ready(processID: Int32(bitPattern: $0)) }
        case .stale: return .stale
        case .failed: return reader.value().map { .failed($0) }
        case .opened: return .opened
        case .full: return .full
        case .credit: return reader.uint32().map { .credit($0) }
        case .exited: return reader.value().map { .exited($0) }
        case .pong: return .pong
        case .report: return reader.value().map { .report($0) }
        default: return nil
        }
    }
}

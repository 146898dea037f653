import Core
import Synchronization

/// Forwards complete lines only, so that an interruption leaves no incomplete line.
final class LineSink: ByteSink {
    private let sink: any ByteSink
    private let isBinary: Bool
    private let rest = Mutex<[UInt8]>([])

    /// The length beyond which a line is forwarded in parts.
    private static let limitBytes = 1 << 20

    /// With `isBinary`, the data has no lines and is forwarded unchanged.
    init(_ sink: any ByteSink, isBinary: Bool) {
        self.sink = sink
        self.isBinary = isBinary
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        guard !isBinary else { return try await sink.write(bytes) }
        let whole = rest.withLock { rest in
            rest += bytes
            let end =
                rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? (rest.count > Self.limitBytes ? rest.count : 0)
            defer { rest.removeFirst(end) }
            return Array(rest[..<end])
        }
        if !whole.isEmpty { try await sink.write(whole) }
    }

    /// Forwards an incomplete last line; called once the data is complete, because text can lack a final newline.
    func finish() async throws(VTError) {
        let last = rest.withLock { rest in
            defer { rest = [] }
            return rest
        }
        if !last.isEmpty { try await sink.write(last) }
    }
}

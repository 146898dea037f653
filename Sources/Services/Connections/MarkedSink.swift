import Core
import Synchronization

/// Forwards the bytes after `RemoteVTCommand.marker`, and discards those before it.
///
/// The startup files of a login shell can print text even when the shell only runs a command (bash(1), "Invocation").
final class MarkedSink: ByteSink {
    /// The bytes received so far; nil once the marker has been found.
    private let pending = Mutex<[UInt8]?>([])
    private let sink: any ByteSink
    private let name: String

    /// Whether the marker has been found.
    var isMarked: Bool { pending.withLock { $0 == nil } }

    /// The lines received so far, unless the marker has been found.
    var unmarkedLines: [String] {
        let bytes = pending.withLock { $0 } ?? []
        return bytes.split { [UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The maximum number of bytes before the marker.
    private static let limitBytes = 1 << 20

    /// `name` is the server's name in errors.
    init(_ sink: any ByteSink, from name: String) {
        self.sink = sink
        self.name = name
    }

    /// - Throws: `protocol` if there are too many bytes before the marker; errors from the underlying sink.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        let rest = try pending.withLock { pending throws(VTError) -> [UInt8]? in
            guard let before = pending else { return bytes }
            let marker = RemoteVTCommand.marker
            // Earlier bytes have already been searched, but the last few of them could be the start of the marker.
            let from = max(0, before.count - marker.count + 1)
            let all = before + bytes
            var start = from
            while start + marker.count <= all.count {
                if all[start] == marker[0], all[start..<start + marker.count].elementsEqual(marker) {
                    pending = nil
                    return Array(all[(start + marker.count)...])
                }
                start += 1
            }
            guard all.count <= Self.limitBytes else {
                throw VTError(
                    .protocolViolation,
                    "the login shell on '\(name)' printed more than \(Self.limitBytes >> 20) MiB before running vt",
                    hint: "make sure that the shell's startup files on '\(name)' print nothing"
                )
            }
            pending = all
            return nil
        }
        if let rest, !rest.isEmpty { try await sink.write(rest) }
    }
}

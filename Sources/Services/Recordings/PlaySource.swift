import Core
import POSIX

/// The bytes of a recording to play.
package final class PlaySource: Sendable {
    /// What messages call it.
    package let name: String
    private let file: OpenFile?
    private let stream: (any ByteSource)?

    private static let pieceBytes = 128 << 10

    /// A file, which can be read again if it is a regular one.
    package init(_ file: consuming OpenFile) {
        name = "'\(file.path)'"
        self.file = consume file
        stream = nil
    }

    /// Bytes that come once.
    package init(_ stream: any ByteSource, name: String) {
        self.name = name
        self.stream = stream
        file = nil
    }

    /// Whether it can be read again.
    package var isRepeatable: Bool { stream == nil }

    /// Returns the next bytes, or nil at the end.
    ///
    /// Observes cancellation, as far as a read comes back.
    func read() async throws(VTError) -> [UInt8]? {
        if Task.isCancelled { throw .cancelled }
        if let stream { return try await stream.read() }
        guard let bytes = try file?.read(limit: Self.pieceBytes), !bytes.isEmpty else { return nil }
        return bytes
    }

    /// Goes back to the beginning; false where that cannot be.
    func rewind() -> Bool {
        file?.rewind() ?? false
    }
}

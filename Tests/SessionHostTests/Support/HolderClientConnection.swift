import Core
import Foundation
import SessionHost
import System
import TestSupport

/// A client that sends exactly what a test specifies, when the test specifies it.
final class HolderClientConnection {
    private let socket: FileDescriptor
    private var decoder = SessionFrameDecoder()

    /// Connects; with `greets`, also exchanges hello frames.
    init(_ files: SessionFiles, greets: Bool = true) async throws {
        socket = try UnixSocket.connect(to: files.socket, timeout: .seconds(20))
        guard greets else { return }
        try send(.hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: "0.0.0-test"))
        guard case .hello = try await next() else { throw FixtureError("the holder did not send hello") }
    }

    func send(_ frame: SessionFrame) throws {
        try send(frame.encoded)
    }

    func send(_ bytes: [UInt8]) throws {
        let failure = BlockingIO.write(socket.number, bytes)
        guard failure == 0 else { throw FixtureError("cannot send: errno \(failure)") }
    }

    /// Attaches, and returns the holder's reply.
    func attach(
        from offset: UInt64? = nil,
        isReadOnly: Bool = false,
        size: TerminalSize? = nil,
        token: UInt8 = 1
    ) async throws -> SessionFrame {
        let token = [UInt8](repeating: token, count: SessionFrame.tokenBytes)
        try send(.attach(.init(from: offset, isReadOnly: isReadOnly, size: size, token: token)))
        return try await next()
    }

    /// The next frame, or nil at the end of the connection.
    func nextOrEnd(within limit: Duration = .patience) async throws -> SessionFrame? {
        while true {
            if let frame = try decoder.next() { return frame }
            let (number, milliseconds) = (socket.number, Int32(clamping: limit.wholeMilliseconds))
            let bytes = try await onOwnThread { () throws(VTError) in try Self.receive(number, within: milliseconds) }
            guard !bytes.isEmpty else { return nil }
            decoder.append(bytes)
        }
    }

    /// Blocks until data arrives; an empty result means the end of the connection.
    private static func receive(_ socket: Int32, within milliseconds: Int32) throws(VTError) -> [UInt8] {
        var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) == 1 else { throw VTError(.timedOut, "no data from the holder") }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let count = recv(socket, &bytes, bytes.count, 0)
        if count < 0, errno != ECONNRESET { throw .system(errno, "cannot receive") }
        return Array(bytes[..<max(0, count)])
    }

    func next(within limit: Duration = .patience) async throws -> SessionFrame {
        guard let frame = try await nextOrEnd(within: limit) else { throw FixtureError("the holder disconnected") }
        return frame
    }

    /// The next frame that is not output.
    func nextAnswer() async throws -> SessionFrame {
        while true {
            let frame = try await next()
            if case .output = frame { continue }
            return frame
        }
    }

    /// All output and other frames that an attached client receives until the end of the connection.
    func rest() async throws -> (output: [UInt8], others: [SessionFrame]) {
        var (output, others): ([UInt8], [SessionFrame]) = ([], [])
        while let frame = try await nextOrEnd() {
            if case .output(_, let bytes) = frame { output += bytes } else { others.append(frame) }
        }
        return (output, others)
    }
}

extension SessionFrame {
    /// The code of a failure frame; nil for other frames.
    var failureCode: VTError.Code? {
        guard case .failure(let error) = self else { return nil }
        return error.code
    }
}

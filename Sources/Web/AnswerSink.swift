import Core
import NIOCore
import NIOHTTP1

/// Sends the answer to a request piece by piece, at the speed at which the client reads it.
struct AnswerSink: ByteSink {
    /// How long a client may take to read a piece before the connection is closed.
    private static let pieceTimeout = TimeAmount.seconds(30)
    /// How long the last piece may take after cancellation.
    private static let lastPieceTimeout = TimeAmount.seconds(1)
    private static let pieceBytes = 64 << 10

    private let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// Sends a file, and closes the connection.
    func send(_ download: WebDownload) async {
        let headers: HTTPHeaders = [
            "Content-Type": "application/octet-stream",
            "Content-Disposition": "attachment; filename=\"\(download.name.safeFileName)\"",
        ]
        await send(.ok, headers, download.write)
    }

    /// Sends what the function writes, and closes the connection; if it fails, the answer is cut off without its end
    /// mark.
    func send(
        _ status: HTTPResponseStatus,
        _ extra: HTTPHeaders,
        _ write: (any ByteSink) async throws(VTError) -> Void
    ) async {
        var headers = HTTPHeaders.ofAnswers
        headers.add(contentsOf: extra)
        headers.add(name: "Connection", value: "close")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        do throws(VTError) {
            try await write(self)
            try await send(.end(nil))
        } catch {
            // The client has gone or does not read, or there is nothing more to send.
        }
        channel.close(promise: nil)
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try await send(.body(.byteBuffer(ByteBuffer(bytes: rest.prefix(Self.pieceBytes)))))
            rest = rest.dropFirst(Self.pieceBytes)
        }
    }

    private func send(_ part: HTTPServerResponsePart) async throws(VTError) {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let written = promise.futureResult
        channel.writeAndFlush(part, promise: promise)
        close(unless: written, within: Self.pieceTimeout)
        do {
            try await withTaskCancellationHandler {
                try await written.get()
            } onCancel: {
                close(unless: written, within: Self.lastPieceTimeout)
            }
        } catch {
            throw VTError(.hostUnreachable, "lost the connection to a client")
        }
    }

    private func close(unless written: EventLoopFuture<Void>, within timeout: TimeAmount) {
        let channel = channel
        let timer = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        written.whenComplete { _ in timer.cancel() }
    }
}

extension String {
    /// The name without characters that have a meaning in a header or a path.
    fileprivate var safeFileName: String {
        String(map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}

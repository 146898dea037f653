import Core
import NIOCore
import NIOHTTP1

/// Sends the answer to a request piece by piece, at the speed at which the client reads it.
struct AnswerSink: ByteSink {
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
            channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
        } catch {
            channel.close(promise: nil)
        }
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        do {
            try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes)))).get()
        } catch {
            throw VTError(.hostUnreachable, "lost the connection to a client")
        }
    }
}

extension String {
    /// The name without characters that have a meaning in a header or a path.
    fileprivate var safeFileName: String {
        String(map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}

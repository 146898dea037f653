import Core
import NIOCore
import NIOHTTP1

/// Sends a file as the answer to a request, at the speed at which the client reads it.
struct DownloadSink: ByteSink {
    private let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// Sends the file, and closes the connection; a file that cannot be read is cut off without its end mark.
    func send(_ download: WebDownload) async {
        var headers = HTTPHeaders.ofAnswers
        headers.add(name: "Content-Type", value: "application/octet-stream")
        headers.add(name: "Content-Disposition", value: "attachment; filename=\"\(download.name.safeFileName)\"")
        headers.add(name: "Connection", value: "close")
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        do throws(VTError) {
            try await download.write(self)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
        } catch {
            channel.close(promise: nil)
        }
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        do {
            try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes)))).get()
        } catch {
            throw VTError(.hostUnreachable, "lost the connection to a page")
        }
    }
}

extension String {
    /// The name without characters that have a meaning in a header or a path.
    fileprivate var safeFileName: String {
        String(map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}

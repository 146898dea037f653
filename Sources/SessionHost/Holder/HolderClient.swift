import Core
import Glibc
import System

/// A client's connection to the holder.
///
/// Apart from answers, at most one partly sent frame is buffered: output that cannot be sent yet stays in the log.
final class HolderClient {
    let socket: FileDescriptor
    var decoder = SessionFrameDecoder()
    /// Whether `poll` has reported something to read, or has not been called since the client connected.
    var hasEvent = true
    /// The deadline for the client's `hello`, in microseconds since boot.
    let greetingDeadline: Int64
    var hasGreeted = false
    /// Whether the client uses another protocol number, in which case it can use only the frozen part of the protocol.
    var isForeign = false

    var attachment: SessionFrame.Attachment?
    /// The offset of the next output byte to send.
    var next: UInt64 = 0
    /// Whether the client must receive the screen before further output.
    var needsScreen = false
    /// The size of the client's terminal; nil if it has not requested that the session has this size.
    var size: TerminalSize?
    /// The terminal size, if it has changed since it was last sent to the client.
    var newSize: TerminalSize?
    /// Input that does not fit in the queue; nothing more is read from the client until it fits.
    var stalledInput: (sequence: UInt64, bytes: [UInt8])?

    /// Whether its input is accepted although a question is open, before lines that wait.
    var isForced = false
    /// The ID of the client's next input or line.
    var requestID: [UInt8]?

    /// The input for the client's next line.
    var input: ShellIntegration.Input?

    /// Complete frames that have not been sent.
    private var answers: [UInt8] = []
    /// The frame being sent.
    private var sending: [UInt8] = []
    /// The number of bytes of `sending` that have been sent.
    private var sentCount = 0
    /// The total number of bytes sent.
    private(set) var sentBytes: UInt64 = 0
    /// Whether the connection ends once the pending data has been sent.
    private(set) var isEnding = false
    /// Whether the connection is broken.
    private(set) var isGone = false

    /// The number of bytes to read before other clients are served; `buffer` has room for them.
    private static let readBytes = 32 << 10

    init(_ socket: consuming FileDescriptor, now: Int64) {
        self.socket = socket
        greetingDeadline = now + 2_000_000
    }

    /// Whether the client shows the screen instead of reading the log: if it falls far behind, output is skipped.
    var isInteractive: Bool { attachment?.from == nil }
    var isReadOnly: Bool { attachment?.isReadOnly ?? false }
    var hasUnsent: Bool { sentCount < sending.count || !answers.isEmpty }
    /// Whether to read further requests; false while input is stalled or too many answers are unread, and once the
    /// connection is ending.
    var isReadable: Bool { !isEnding && stalledInput == nil && answers.count < 64 << 10 }

    func answer(_ frame: SessionFrame) {
        guard !isEnding else { return }
        answers += frame.encoded
    }

    /// Sends a last answer, and then closes the connection.
    func end(with frame: SessionFrame?) {
        if let frame { answer(frame) }
        isEnding = true
    }

    /// Informs the client that another one waits for its line from now on.
    func yieldLine(to other: HolderClient) {
        guard self !== other else { return }
        answer(.failure(VTError(.busy, "another client has requested the same line, and waits for it")))
    }

    func drop() {
        isGone = true
    }

    /// Reads available bytes into the start of `buffer`, and passes them to the decoder; returns false if there are none.
    ///
    /// The end of the stream or an error sets `isGone`.
    func receive(into buffer: inout [UInt8]) -> Bool {
        let count = unsafe recv(socket.number, &buffer, Self.readBytes, CInt(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        guard count > 0 else {
            isGone = true
            return false
        }
        decoder.append(Array(buffer[..<count]))
        return true
    }

    /// Sends pending data; returns false if some could not be sent, or if the connection has ended.
    func flush() -> Bool {
        while hasUnsent {
            if sentCount == sending.count {
                swap(&sending, &answers)
                answers = []
                sentCount = 0
            }
            let (count, failure) = UnixSocket.sendSome(socket.number, sending, from: sentCount)
            sentCount += count
            sentBytes += UInt64(count)
            switch failure {
            case 0, EINTR: continue
            case EAGAIN: return false
            default:
                isGone = true
                return false
            }
        }
        sending = []
        sentCount = 0
        if isEnding { isGone = true }
        return !isGone
    }

    /// Sends output from the log; must not be called while other data is pending.
    func sendOutput(_ frame: consuming [UInt8]) -> Bool {
        sending = frame
        sentCount = 0
        return flush()
    }

    /// Sends output directly from the read buffer; the part that the socket does not accept is kept for later.
    func sendOutput(at offset: UInt64, _ bytes: UnsafeRawBufferPointer) {
        var head = SessionFrame.outputHead(offset: offset, count: bytes.count)
        let headCount = head.count
        let result = unsafe head.withUnsafeMutableBytes { head in
            var parts = unsafe [
                iovec(iov_base: head.baseAddress, iov_len: head.count),
                iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count),
            ]
            return unsafe writev(socket.number, &parts, 2)
        }
        if result < 0 && errno != EAGAIN && errno != EINTR {
            isGone = true
            return
        }
        let sent = max(0, result)
        sentBytes += UInt64(sent)
        guard sent < headCount + bytes.count else { return }
        sending = sent < headCount ? Array(head[sent...]) : []
        unsafe sending += bytes.dropFirst(max(0, sent - headCount))
        sentCount = 0
    }
}

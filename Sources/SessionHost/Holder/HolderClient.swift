import Core
import Glibc
import POSIX

/// A connection to the holder.
///
/// It owns at most one frame that is partly sent, besides answers: output waits in the log.
final class HolderClient {
    let socket: FileDescriptor
    var decoder = SessionFrameDecoder()
    /// When it must have greeted, in microseconds since boot.
    let greetingDeadline: Int64
    var hasGreeted = false
    /// Whether it speaks another protocol, of which only the frozen part is understood.
    var isForeign = false

    var attachment: SessionFrame.Attachment?
    /// The next byte of output it gets.
    var next: UInt64 = 0
    /// Whether it is to be shown the screen before any further output.
    var needsScreen = false
    /// The size of the terminal, if it changed and the client does not know.
    var newSize: TerminalSize?
    /// Input that found no room; nothing more is read until it does.
    var stalledInput: (sequence: UInt64, bytes: [UInt8])?

    /// Whole frames that wait to be sent.
    private var answers: [UInt8] = []
    /// What is being sent, and how much of it was.
    private var sending: [UInt8] = []
    private var sentCount = 0
    /// All that was sent.
    private(set) var sentBytes: UInt64 = 0
    /// Whether nothing more is to come after what waits.
    private(set) var isEnding = false
    /// Whether the connection is of no use any more.
    private(set) var isGone = false

    init(_ socket: consuming FileDescriptor, now: Int64) {
        self.socket = socket
        greetingDeadline = now + 2_000_000
    }

    /// Whether it follows the screen rather than the log: when it lags far behind, it skips output.
    var isInteractive: Bool { attachment?.from == nil }
    var isReadOnly: Bool { attachment?.isReadOnly ?? false }
    var hasUnsent: Bool { sentCount < sending.count || !answers.isEmpty }
    /// Requests are not read while their answers are not.
    var isReadable: Bool { !isEnding && stalledInput == nil && answers.count < 64 << 10 }

    func answer(_ frame: SessionFrame) {
        guard !isEnding else { return }
        answers += frame.encoded
    }

    /// Answers for the last time; the connection ends when that is sent.
    func end(with frame: SessionFrame?) {
        if let frame { answer(frame) }
        isEnding = true
    }

    func drop() {
        isGone = true
    }

    /// Reads what has come; nil when there is nothing now.
    func receive(limit: Int) -> [UInt8]? {
        var failure: CInt = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let result = unsafe recv(socket.number, buffer.baseAddress, limit, CInt(MSG_DONTWAIT))
            failure = result < 0 ? errno : 0
            count = max(0, result)
        }
        if failure == EAGAIN || failure == EINTR { return nil }
        if bytes.isEmpty { isGone = true }
        return bytes
    }

    /// Sends what waits; false when not all of it could be.
    func flush() -> Bool {
        while hasUnsent {
            if sentCount == sending.count {
                swap(&sending, &answers)
                answers = []
                sentCount = 0
            }
            let (count, failure) = SocketIO.sendSome(socket.number, sending, from: sentCount)
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

    /// Sends output of the log; nothing else waits.
    func sendOutput(_ frame: consuming [UInt8]) -> Bool {
        sending = frame
        sentCount = 0
        return flush()
    }

    /// Sends output straight from where it was read; what does not fit is kept as the one frame in flight.
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

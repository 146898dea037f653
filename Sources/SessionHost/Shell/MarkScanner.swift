import Glibc

/// Separates the marks of a shell's hook from the rest of the output.
///
/// A mark is `ESC ] 133 ; TOKEN ; PAYLOAD BEL` with the random token of the session, and a payload without control
/// characters. Marks are found byte by byte, whatever sequence the output before them has left unfinished.
///
/// Where a hook has to keep a mark in a variable, which the shell can print, that mark has a token of its own: it counts
/// once, for the end of a command, after a mark `T` that announces the token and the shell's process.
struct MarkScanner {
    /// A part of the output, as a range of the bytes scanned, or a mark between two parts.
    enum Item: Equatable {
        case output(Range<Int>)
        case mark(payload: String)
        /// A mark with the token of one line.
        case assumedMark(payload: String)
    }

    private let introducer: [UInt8]?
    private var onceIntroducer: [UInt8]?
    private var endTokens: [EndToken] = []
    /// The end of the bytes scanned so far, if it may be the start of a mark; to be passed again before further bytes.
    private(set) var pending: [UInt8] = []
    /// Whether the pending bytes have been passed on as output because nothing followed them.
    private var isReleased = false

    /// The maximum length of a payload; a path has at most 4,096 bytes, which can be encoded with three bytes each.
    private static let payloadBytes = 16 << 10

    /// The token for the end of the command that a shell is running.
    private struct EndToken {
        let processID: Substring
        let introducer: [UInt8]
    }

    /// The maximum number of such tokens; shells that have been ended by a command leave theirs behind.
    private static let endTokenLimit = 64

    /// Without a token, there are only marks of typed lines.
    init(token: String? = nil) {
        introducer = token.map { Self.introducer(of: $0) }
    }

    /// The token in the marks of the last line that was typed.
    var once: String? {
        didSet { onceIntroducer = once.map { Self.introducer(of: $0) } }
    }

    private static func introducer(of token: String) -> [UInt8] { Array("\u{1B}]133;\(token);".utf8) }

    /// Whether the pending bytes may be ordinary output, rather than the start of a mark.
    var isDoubtful: Bool { !pending.isEmpty && !isReleased && !introducers.contains { pending.starts(with: $0) } }

    private var introducers: [[UInt8]] {
        [introducer, onceIntroducer].compactMap(\.self) + endTokens.map(\.introducer)
    }

    /// Passes on the pending bytes as output; if they turn out to be the start of a mark, the mark still counts.
    mutating func release() -> [UInt8] {
        defer { isReleased = true }
        return isReleased ? [] : pending
    }

    /// Scans output; `bytes` begins with the pending bytes.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> [Item] {
        var items: [Item] = []
        // What has been released is not output again.
        var start = isReleased ? pending.count : 0
        var index = 0
        (pending, isReleased) = ([], false)
        func addOutput(to end: Int) {
            if start < end { items.append(.output(start..<end)) }
        }
        var introducers = self.introducers
        while let escape = unsafe Self.nextEscape(bytes, index) {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[escape...])
            let candidate = introducers.first { introducer in
                let matched = unsafe zip(rest, introducer).prefix { $0 == $1 }.count
                return matched == introducer.count || matched == rest.count
            }
            guard let candidate else {
                index = escape + 1
                continue
            }
            let matched = min(candidate.count, rest.count)
            let payload = unsafe rest[matched...].prefix(Self.payloadBytes).prefix { $0 >= 0x20 && $0 != 0x7F }
            let end = unsafe escape + payload.endIndex
            if end < bytes.count, unsafe bytes[end] == 0x07 {
                addOutput(to: escape)
                let text = unsafe String(decoding: payload, as: UTF8.self)
                if let mark = mark(text, after: candidate) { items.append(mark) }
                introducers = self.introducers
                index = end + 1
                start = max(start, index)
            } else if end == bytes.count {
                addOutput(to: escape)
                pending = unsafe Array(rest)
                isReleased = start > escape
                return items
            } else {
                index = escape + 1
            }
        }
        addOutput(to: bytes.count)
        return items
    }

    private mutating func mark(_ payload: String, after candidate: [UInt8]) -> Item? {
        if let index = endTokens.firstIndex(where: { $0.introducer == candidate }) {
            endTokens.remove(at: index)
            return payload.hasPrefix("D;") ? .mark(payload: payload) : nil
        }
        guard candidate == introducer else { return .assumedMark(payload: payload) }
        guard payload.hasPrefix("T;") else { return .mark(payload: payload) }
        let fields = payload.split(separator: ";")
        guard fields.count == 3 else { return nil }
        endTokens.removeAll { $0.processID == fields[2] }
        endTokens.append(EndToken(processID: fields[2], introducer: Self.introducer(of: String(fields[1]))))
        if endTokens.count > Self.endTokenLimit { endTokens.removeFirst() }
        return nil
    }

    private static func nextEscape(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = unsafe memchr(base + start, 0x1B, bytes.count - start)
        else { return nil }
        return unsafe base.distance(to: UnsafeRawPointer(found))
    }
}

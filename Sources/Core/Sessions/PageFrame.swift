/// The frames that only a page and its server exchange; both also use those for input, sizes and results.
package enum PageFrame: Hashable, Sendable {
    /// The subprotocol of WebSockets that carry these frames.
    package static let subprotocol = "vt.1"

    // MARK: To the server

    /// The token of a link, and the key that is to replace it; the first frame. A page that has a key sends it alone.
    case login(token: [UInt8], key: [UInt8])
    /// The token of a link, from a client that then makes calls as to `vt relay`; the first frame.
    case relay(token: [UInt8])
    /// Requests the rows of a session or recording; an empty name stops sending them.
    ///
    /// The token consists of 16 random bytes, and identifies the page across reconnections.
    case watch(token: [UInt8], name: String)
    /// The number of the `rows` that have been painted.
    case shown(UInt64)
    /// The name of a key, to be encoded for the modes of the program, with a sequence number as for `input`.
    case key(sequence: UInt64, name: String)
    /// Text to be pasted, with a sequence number as for `input`.
    case paste(sequence: UInt64, bytes: [UInt8])
    /// Requests rows above the screen; number 1 is directly above it.
    case history(first: UInt32, count: UInt16)
    /// Requests the screen at a time since the start, in microseconds, or at the next step after it; without a time,
    /// the current screen.
    case seek(UInt64?, Step)
    /// Requests a ticket to download the recording.
    case download

    /// What to look for after a time.
    package enum Step: UInt8, Sendable {
        case none, output, marker
    }

    // MARK: To the page

    /// A JSON document, described in docs/protocol.md.
    case document(Document, [UInt8])
    /// The answer to `watch`: the sequence number of the last input that was accepted, and a JSON document.
    case watching(lastInput: UInt64, document: [UInt8])

    package enum Document: UInt8, Sendable {
        case welcome = 112
        case rows = 113
        case sessions = 114
        case history = 115
    }

    /// The numbers of the other kinds.
    private enum Kind {
        static let login: UInt8 = 96
        static let watch: UInt8 = 97
        static let shown: UInt8 = 98
        static let key: UInt8 = 99
        static let paste: UInt8 = 100
        static let history: UInt8 = 101
        static let seek: UInt8 = 102
        static let download: UInt8 = 103
        static let relay: UInt8 = 104
        static let watching: UInt8 = 116
    }

    /// A space, which is part of neither a token nor a key.
    private static let separator: UInt8 = 0x20

    /// Appends the payload, and returns the kind.
    func encode(into payload: inout [UInt8]) -> UInt8 {
        switch self {
        case .login(let token, let key):
            payload += token
            if !key.isEmpty { payload += [Self.separator] + key }
            return Kind.login
        case .relay(let token):
            payload += token
            return Kind.relay
        case .watch(let token, let name):
            payload += token + name.utf8
            return Kind.watch
        case .shown(let number):
            payload.appendBigEndian(number)
            return Kind.shown
        case .key(let sequence, let name):
            payload.appendBigEndian(sequence)
            payload += name.utf8
            return Kind.key
        case .paste(let sequence, let bytes):
            payload.appendBigEndian(sequence)
            payload += bytes
            return Kind.paste
        case .history(let first, let count):
            payload.appendUInt32(first)
            payload.appendBigEndian(count)
            return Kind.history
        case .seek(let time, let step):
            payload.appendBigEndian(time ?? .max)
            payload.append(step.rawValue)
            return Kind.seek
        case .download: return Kind.download
        case .document(let kind, let json):
            payload += json
            return kind.rawValue
        case .watching(let lastInput, let json):
            payload.appendBigEndian(lastInput)
            payload += json
            return Kind.watching
        }
    }

    /// Returns nil for other kinds, and for a payload that does not match.
    init?(kind: UInt8, _ reader: inout WireReader) {
        switch kind {
        case Kind.login:
            let words = reader.remainder().split(
                separator: Self.separator,
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            self = .login(
                token: words.first.map { Array($0) } ?? [],
                key: words.dropFirst().first.map { Array($0) } ?? []
            )
        case Kind.relay: self = .relay(token: Array(reader.remainder()))
        case Kind.watch:
            guard let token = reader.bytes(SessionFrame.tokenBytes),
                let name = String(validating: reader.remainder(), as: UTF8.self)
            else { return nil }
            self = .watch(token: Array(token), name: name)
        case Kind.shown:
            guard let number = reader.uint64() else { return nil }
            self = .shown(number)
        case Kind.key:
            guard let sequence = reader.uint64(), let name = String(validating: reader.remainder(), as: UTF8.self)
            else { return nil }
            self = .key(sequence: sequence, name: name)
        case Kind.paste:
            guard let sequence = reader.uint64() else { return nil }
            self = .paste(sequence: sequence, bytes: Array(reader.remainder()))
        case Kind.history:
            guard let first = reader.uint32(), let count = reader.uint16() else { return nil }
            self = .history(first: first, count: count)
        case Kind.seek:
            guard let time = reader.uint64(), let step = Step(rawValue: reader.byte() ?? 0) else { return nil }
            self = .seek(time == .max ? nil : time, step)
        case Kind.download: self = .download
        case Kind.watching:
            guard let lastInput = reader.uint64() else { return nil }
            self = .watching(lastInput: lastInput, document: Array(reader.remainder()))
        default:
            guard let document = Document(rawValue: kind) else { return nil }
            self = .document(document, Array(reader.remainder()))
        }
    }
}

import Core

/// The reply to a request (draft-ietf-secsh-filexfer-02 §7).
enum SFTPReply: Sendable {
    case status(SFTPStatus)
    case handle(SFTPHandle)
    case data([UInt8])
    case names([DirectoryEntry])
    case attributes(FileAttributes)
    /// The reply to an extension, which defines its contents.
    case extended([UInt8])

    /// The attributes in the reply; nil for others.
    var attributes: FileAttributes? {
        guard case .attributes(let attributes) = self else { return nil }
        return attributes
    }

    /// The maximum length of a handle (§6.2).
    private static let handleLimitBytes = 256

    /// Parses a packet without its length; nil if it is malformed.
    static func parse(_ packet: ArraySlice<UInt8>) -> (id: UInt32, reply: SFTPReply)? {
        var reader = WireReader(packet)
        guard let type = reader.byte(), let id = reader.uint32(), let reply = parse(type, &reader) else { return nil }
        return (id, reply)
    }

    private static func parse(_ type: UInt8, _ reader: inout WireReader) -> SFTPReply? {
        switch type {
        case 101:
            guard let code = reader.uint32() else { return nil }
            // Version 2 servers omit the message.
            let message = reader.string().map { String(decoding: $0, as: UTF8.self) }
            return .status(SFTPStatus(rawCode: code, message: message ?? ""))
        case 102:
            guard let bytes = reader.string(), bytes.count <= handleLimitBytes else { return nil }
            return .handle(SFTPHandle(bytes: Array(bytes)))
        case 103: return reader.string().map { .data(Array($0)) }
        case 104: return names(&reader).map { .names($0) }
        case 105: return reader.attributes().map { .attributes($0) }
        case 201: return .extended(Array(reader.remainder()))
        default: return nil
        }
    }

    private static func names(_ reader: inout WireReader) -> [DirectoryEntry]? {
        guard let count = reader.uint32() else { return nil }
        var entries: [DirectoryEntry] = []
        for _ in 0..<count {
            // The second string is a human-readable line, as printed by `ls -l`.
            guard let name = reader.string(), reader.string() != nil, let attributes = reader.attributes() else {
                return nil
            }
            entries.append(DirectoryEntry(name: ByteString(name), attributes: attributes))
        }
        return entries
    }
}

/// The result of a request that returns nothing else (§7).
struct SFTPStatus: Hashable, Sendable {
    /// The codes of version 3.
    enum Code: UInt32 {
        case ok = 0
        case endOfFile = 1
        case noSuchFile = 2
        case permissionDenied = 3
        case failure = 4
        case badMessage = 5
        case noConnection = 6
        case connectionLost = 7
        case unsupported = 8
    }

    var rawCode: UInt32
    var message: String

    var code: Code? {
        Code(rawValue: rawCode)
    }

    /// The reason for messages: the server's message if there is one.
    private var reason: String {
        switch code {
        case .noSuchFile: "no such file or directory"
        case .permissionDenied: "permission denied"
        case .unsupported: "the server does not support this operation"
        case .ok, .endOfFile, .failure, .badMessage, .noConnection, .connectionLost, nil:
            message.isEmpty ? "error \(rawCode)" : "\(message.prefix(1).lowercased())\(message.dropFirst().prefix(200))"
        }
    }

    /// Returns the error to report; `what` describes the failure, such as `cannot open 'x'`.
    func error(_ what: String, fallback: VTError.Code = .io) -> VTError {
        var error = VTError(code == .noSuchFile ? .notFound : fallback, "\(what): \(reason)")
        error.isRefusal = code == .permissionDenied || code == .unsupported
        return error
    }
}

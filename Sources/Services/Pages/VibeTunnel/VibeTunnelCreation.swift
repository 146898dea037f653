import Core

/// A request of one of VibeTunnel's clients to create a session.
struct VibeTunnelCreation: Sendable {
    var command: [String]
    /// Nil for the directory of the server.
    var directory: String?
    var name: String
    var size = TerminalSize.standard

    /// Reads the body of a request; members about windows and titles on the server are ignored.
    init(_ document: [UInt8]) throws(VibeTunnelRefusal) {
        guard let body = try? JSONOutlineParser.parse(document),
            let words = body.member("command")?.elements?.map({ $0.string(in: document) }),
            let first = words.first ?? nil, !first.isEmpty
        else { throw .invalidBody }
        command = words.compactMap(\.self)
        guard command.count == words.count else { throw .invalidBody }
        directory = body.member("workingDir")?.string(in: document).flatMap { $0.isEmpty ? nil : $0 }
        let given = body.member("name")?.string(in: document) ?? ""
        name = given.isEmpty ? first.split(separator: "/").last.map(String.init) ?? first : given
        if body.member("cols") != nil || body.member("rows") != nil {
            guard let size = TerminalSize(vibeTunnel: body, in: document) else { throw .invalidBody }
            self.size = size
        }
    }

    func creation(named name: SessionName) -> SessionCreation {
        var creation = SessionCreation(name: name, command: command.map { ByteString($0) })
        (creation.directory, creation.size) = (directory, size)
        return creation
    }
}

extension TerminalSize {
    /// The members `cols` and `rows` of an object; nil unless both are 1 to 1000, upstream's limits.
    init?(vibeTunnel body: JSONOutline, in document: [UInt8]) {
        guard let columns: Int = body.member("cols")?.integer(in: document),
            let rows: Int = body.member("rows")?.integer(in: document), (1...1000).contains(columns),
            (1...1000).contains(rows)
        else { return nil }
        self.init(columns: columns, rows: rows)
    }
}

extension SessionName {
    /// The valid name nearest to a text, followed by the number if that is not 1.
    init(nearestTo text: String, number: Int) throws(VTError) {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0))) }
        let name = words.joined(separator: "-").drop { $0 == "." || $0 == "-" }.prefix(Self.nearestLength)
        let base = name.isEmpty ? "session" : String(name)
        // A name in the form of an ID is not valid.
        let needsNumber = number > 1 || SessionID(base) != nil
        try self.init(needsNumber ? "\(base)-\(number)" : base)
    }

    /// Leaves room for a number.
    private static let nearestLength = 56
}

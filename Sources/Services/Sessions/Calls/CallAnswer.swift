import Core

/// Passes on the result of a call as frames.
package struct CallAnswer: OutputReceiver, ByteSink {
    private let receive: SessionReceiver

    init(_ receive: @escaping SessionReceiver) {
        self.receive = receive
    }

    /// Returns false to stop the call.
    @discardableResult func send(_ frame: SessionFrame) async throws(VTError) -> Bool { try await receive(frame) }

    func send(_ sessions: [Session]) async throws(VTError) {
        for session in sessions {
            guard try await receive(.record(session)) else { return }
        }
    }

    func send(_ documents: [some JSONValue]) async throws(VTError) {
        for document in documents {
            guard try await receive(.result(document.json)) else { return }
        }
    }

    /// Sends an object with these members.
    func send<Value>(_ value: Value, _ members: JSONTable<Value>) async throws(VTError) {
        _ = try await receive(.result(JSONWriter.object { members.write(value, to: &$0) }))
    }

    /// Sends an object with one member.
    func send(_ name: String, _ value: some JSONValue) async throws(VTError) {
        _ = try await receive(.result(JSONWriter.object { $0.member(name, value) }))
    }

    /// Sends the offset at which the result starts.
    func start(at offset: UInt64) async throws(VTError) {
        _ = try await receive(.accepted(sequence: 0, offset: offset))
    }

    package func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await receive(.output(offset: offset, bytes: bytes))
    }

    package func resized(to size: TerminalSize) async throws(VTError) {
        _ = try await receive(.resized(size))
    }

    package func gap(from start: UInt64, to end: UInt64) async throws(VTError) {
        _ = try await receive(.gap(from: start, to: end))
    }

    /// Recordings are written in lines, or in pieces of at most 256 KiB.
    package func write(_ bytes: [UInt8]) async throws(VTError) {
        guard try await receive(.data(bytes)) else { throw .cancelled }
    }
}

/// The result of a call.
extension [SessionFrame] {
    var sessions: [Session] {
        compactMap { if case .record(let session) = $0 { session } else { nil } }
    }

    func session() throws(VTError) -> Session {
        guard let session = sessions.first else { throw Self.incomplete }
        return session
    }

    /// The offset that a call has reported, and whether input was not shown.
    func accepted() throws(VTError) -> (offset: UInt64, isHidden: Bool) {
        for case .accepted(_, let offset, let isHidden) in self { return (offset, isHidden) }
        throw Self.incomplete
    }

    /// Processes that have survived, as `PID NAME`.
    func survivors() throws(VTError) -> [String] {
        for case .killed(let survivors) in self { return survivors }
        throw Self.incomplete
    }

    func document<Value: JSONReadable>() throws(VTError) -> Value {
        let documents: [Value] = try documents()
        guard let document = documents.first else { throw Self.incomplete }
        return document
    }

    func documents<Value: JSONReadable>() throws(VTError) -> [Value] {
        try objects { json, document throws(JSONValueError) in try Value(json, in: document) }
    }

    /// Reads the members of the object that `CallAnswer` has sent.
    func read<Value>(_ members: JSONTable<Value>, into value: inout Value) throws(VTError) {
        let usual = value
        let read = try objects { json, document throws(JSONValueError) in
            var value = usual
            _ = try members.read(json, in: document, into: &value)
            return value
        }
        guard let first = read.first else { throw Self.incomplete }
        value = first
    }

    func member<Value: JSONReadable>(_ name: String) throws(VTError) -> Value? {
        let values: [Value?] = try objects { json, document throws(JSONValueError) in
            try json.optional(name, in: document)
        }
        guard let first = values.first else { throw Self.incomplete }
        return first
    }

    private func objects<Value>(
        _ read: (JSONOutline, [UInt8]) throws(JSONValueError) -> Value
    ) throws(VTError) -> [Value] {
        var values: [Value] = []
        for case .result(let json) in self {
            guard let outline = try? JSONOutlineParser.parse(json), let value = try? read(outline, json) else {
                throw Self.incomplete
            }
            values.append(value)
        }
        return values
    }

    static var incomplete: VTError { VTError(.protocolViolation, "the result of a call is incomplete") }
}

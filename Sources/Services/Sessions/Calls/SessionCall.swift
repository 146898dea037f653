import Core
import Recording

/// A call to the sessions of a machine, as a relay receives it.
package struct SessionCall: Sendable {
    package let verb: any SessionVerb
    /// The exact name or the ID of the session; empty if the call does not concern one.
    package let session: String

    /// All verbs, with arguments that have their usual values.
    private static let verbs: [any SessionVerb] = [
        SessionCreation(name: .none, command: []), ListRequest(), ShowRequest(), LogsRequest(), RecordRequest(),
        TurnFilter(), SendRequest([]), StateRequest(""), LineExecution([]), WaitRequest([]), ScreenRequest(),
        ResizeRequest(), MarkRequest(), RenameRequest(), KillRequest(), Suspension.freeze, Suspension.pause,
        Suspension.resume, QuestionRequest(), CleanupRequest(), SnapshotRequest(), SnapshotsRequest(),
        SnapshotRemoval([]), RollbackRequest(""), DiffRequest(), DoctorRequest(), ConnectRequest(),
    ]

    private static let pieceBytes = 128 << 10

    package init(_ verb: any SessionVerb, on session: String = "") {
        (self.verb, self.session) = (verb, session)
    }

    /// The frames that make the call on another machine.
    package var frames: [SessionFrame] {
        let data = verb.data
        let json = JSONWriter.object { writer in
            writer.member("call", verb.callName)
            verb.writeArguments(to: &writer)
            writer.member("session", session.isEmpty ? nil : session)
            writer.member("data", data.isEmpty ? nil : data.count)
        }
        let starts = stride(from: 0, to: data.count, by: Self.pieceBytes)
        return [.call(json)] + starts.map { .data(Array(data[$0...].prefix(Self.pieceBytes))) }
    }

    /// The number of data bytes that follow a call.
    static func dataBytes(of json: [UInt8]) throws(VTError) -> Int {
        try member("data", try outline(of: json), json) ?? 0
    }

    /// Decodes a call.
    ///
    /// - Throws: `protocol` for a call, or an argument, that this version does not know, and for an invalid value.
    package init(_ json: [UInt8], data: [UInt8]) throws(VTError) {
        let outline = try Self.outline(of: json)
        let name: String? = try Self.member("call", outline, json)
        guard let verb = Self.verbs.first(where: { $0.callName == name }) else {
            throw VTError(.protocolViolation, "this version of vt does not support the call")
        }
        session = try Self.member("session", outline, json) ?? ""
        self.verb = try verb.reading(outline, in: json, data)
    }

    private static func outline(of json: [UInt8]) throws(VTError) -> JSONOutline {
        guard let outline = try? JSONOutlineParser.parse(json), outline.members != nil else {
            throw VTError(.protocolViolation, "a call is not a JSON object")
        }
        return outline
    }

    private static func member<Value: JSONReadable>(
        _ name: String,
        _ outline: JSONOutline,
        _ json: [UInt8]
    ) throws(VTError) -> Value? {
        do throws(JSONValueError) {
            return try outline.optional(name, in: json)
        } catch {
            throw VTError(.protocolViolation, error.message(for: "a call"))
        }
    }
}

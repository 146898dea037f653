import Core

/// A request to the sessions of one machine: its arguments, what it does, and its result.
///
/// docs/protocol.md describes the verbs as a relay receives them.
package protocol SessionVerb: Sendable {
    associatedtype Outcome

    /// The name of the call.
    var callName: String { get }

    static var arguments: JSONTable<Self> { get }

    /// The argument that can be long or secret, or any bytes.
    var data: [UInt8] { get }

    /// Completes a verb whose arguments have been read with its data.
    ///
    /// `json` has all arguments, for those whose meaning depends on others.
    mutating func complete(_ data: [UInt8], _ json: JSONOutline, in document: [UInt8]) throws(JSONValueError)

    /// Whether the call concerns one session.
    var concernsSession: Bool { get }

    /// The role that a link must have for the call.
    var role: PageRole { get }

    /// Whether the call ends soon, and can use a relay that an earlier command has started.
    ///
    /// Calls that start a program cannot, because what the program gets must not depend on when a relay was started.
    var isShort: Bool { get }

    /// Whether frames of the result must be passed on immediately, because more may follow only later.
    var isStreamed: Bool { get }

    /// How long the call may work without sending anything; nil if it waits for a program.
    var workLimit: Duration? { get }

    /// Performs the call on this machine; `session` is empty if the call does not concern one.
    func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError)

    /// - Throws: `protocol` when the result is incomplete or invalid.
    func outcome(in result: [SessionFrame]) throws(VTError) -> Outcome
}

extension SessionVerb {
    package static var arguments: JSONTable<Self> { [] }
    package var data: [UInt8] { [] }
    package mutating func complete(_ data: [UInt8], _ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {}

    package var concernsSession: Bool { true }
    package var role: PageRole { .read }
    package var isShort: Bool { true }
    package var isStreamed: Bool { !isShort }
    package var workLimit: Duration? { .zero }

    /// The members of the call other than its name, its session and the size of its data.
    func writeArguments(to writer: inout JSONWriter) { Self.arguments.write(self, to: &writer) }

    /// Returns the verb with the arguments of a call.
    ///
    /// - Throws: `protocol` for an argument that is invalid or unknown.
    func reading(_ json: JSONOutline, in document: [UInt8], _ data: [UInt8]) throws(VTError) -> Self {
        var verb = self
        let others: [JSONOutline.Member]
        do throws(JSONValueError) {
            if let empty = json.members?.first(where: \.value.isNull) {
                throw JSONValueError(line: empty.value.line, path: empty.name)
            }
            others = try Self.arguments.read(json, in: document, into: &verb)
            try verb.complete(data, json, in: document)
        } catch {
            throw VTError(.protocolViolation, error.message(for: "the call '\(self.callName)'"))
        }
        // An argument that is ignored could change what the call does.
        let known = ["call", "data"] + (concernsSession ? ["session"] : [])
        if let unknown = others.map(\.name).filter({ !known.contains($0) }).min() {
            throw VTError(
                .protocolViolation,
                "this version of vt does not support '\(unknown)' of the call '\(self.callName)'"
            )
        }
        return verb
    }
}

extension SessionVerb where Outcome == Void {
    package func outcome(in result: [SessionFrame]) throws(VTError) {}
}

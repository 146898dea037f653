import Arguments
import Core
import Services

/// Adds a marker to a session's timeline: `vt sessions mark SESSION [LABEL]`.
package enum SessionMarkCommand: Command {
    private static let label = Operand("LABEL").optional()

    package static let spec = CommandSpec(
        ["sessions", "mark"],
        summary: "add a marker to a session",
        description: [
            "Recordings of the session contain the marker at this point: 'vt play' jumps to it with ']', and marker:LABEL "
                + "is a POSITION. LABEL has at most 256 bytes and no control characters; without it, the marker has no "
                + "name. Prints the offset at which the output ends. A session that has ended cannot be marked.",
            SessionOperand.explanation,
            "At a terminal, a marker can also be added with a key, during 'vt attach' and 'vt record'.",
        ],
        operands: [SessionOperand.session, label],
        options: ConnectionOptions.options,
        examples: [
            ExampleSpec("vt sessions mark build deploy", "mark the start of a step"),
            ExampleSpec("vt sessions mark web:build", "add a marker without a name to a session on a server"),
        ],
        exitCodes: VTError.Code.ofHolders
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try markerLabel(call)
    }

    private static func markerLabel(_ call: Call) throws(VTError) -> MarkerLabel {
        try MarkerLabel(call[label] ?? "")
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        let label = try markerLabel(call)
        let offset = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(MarkRequest(label), on: reference.session)
        }
        try context.show(Document(offset: offset, label: label.text)) { String(offset) }
        return 0
    }

    struct Document {
        let offset: UInt64
        let label: String
    }
}

extension SessionMarkCommand.Document: JSONDocument {
    static let documentName = "added marker"
    static let documentSummary = "a marker that was added to a session"

    static let fields: JSONTable<Self> = [
        .field("offset", \.offset, "end of the output when the marker was added", in: .bytes),
        .field("label", \.label, "label of the marker; may be empty"),
    ]
}

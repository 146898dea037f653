import Arguments
import Core
import Services

/// Shows a profile: `vt profile show NAME`.
package enum ProfileShowCommand: Command {
    private static let name = Operand("NAME", completion: .profile)

    package static let spec = CommandSpec(
        ["profile", "show"],
        summary: "show a saved server",
        description: ["Fields that are not set are omitted. Secrets are never shown."],
        operands: [name],
        examples: [
            ExampleSpec("vt profile show web", "show all fields of a profile"),
            ExampleSpec("vt profile show web --json | jq -r .host", "print the host"),
        ],
        exitCodes: [.notFound, .system, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document(ProfileDocument.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let profile = try context.profileService().profile(call[name])
        try context.show(ProfileDocument(profile: profile), fields: rows(profile))
        return 0
    }

    /// Returns the names and values of the fields that are set, in the order of `Profile.fields`.
    private static func rows(_ profile: Profile) -> [(String, String?)] {
        let document = profile.jsonLine
        guard let json = try? JSONOutlineParser.parse(document) else { return [] }
        // Some of these have a value in every profile, but are meaningful only with another transport.
        let hidden = Profile.inapplicable(to: profile.transport).map(\.property)
        let shown = Profile.fields.fields.filter { field in !hidden.contains { $0 == field.property } }
        return shown.map(\.spec).compactMap { field in
            guard let value = json.member(field.name), let text = text(value, of: field, in: document) else {
                return nil
            }
            // Durations are shown with their units.
            return (field.unit == .milliseconds ? String(field.name.dropLast("_ms".count)) : field.name, text)
        }
    }

    /// Returns nil for an empty list and for a secret without a source.
    private static func text(_ value: JSONOutline, of field: FieldSpec, in document: [UInt8]) -> String? {
        switch value.content {
        case .bool: return value.bool(in: document) == true ? "yes" : "no"
        case .number:
            guard let number: Int64 = value.integer(in: document) else { return nil }
            if field.name == "share_ms", number == 0 { return ConnectionSharing.off }
            return field.unit == .milliseconds ? Duration.milliseconds(number).shortText : String(number)
        case .array(let elements): return list(elements.compactMap { $0.string(in: document) })
        case .object(let members):
            let values = members.map { ($0.name, $0.value.string(in: document) ?? "") }
            if case .map = field.type { return list(values.map { "\($0)=\($1)" }.sorted()) }
            let words = values.map(\.1)
            return words == [SecretSource.Kind.none.rawValue] ? nil : words.joined(separator: " ")
        case .string, .null: return value.string(in: document)
        }
    }

    private static func list(_ values: [String]) -> String? {
        values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

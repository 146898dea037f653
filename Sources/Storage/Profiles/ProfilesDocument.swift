import Core
import FoundationEssentials

/// The profiles file: `{ "schema": 1, "profiles": { NAME: {…} } }`.
///
/// Data written by a later vt and unknown to this one is preserved: unknown members are kept, and the text of an
/// unchanged profile is not modified.
struct ProfilesDocument {
    /// The schema that this vt reads and writes.
    static let schema = 1

    private(set) var profiles: [String: Profile] = [:]
    /// The text in the file for each profile.
    private var sources: [String: Source] = [:]
    /// The text of document members other than `schema` and `profiles`.
    private var unknownMembers: [[UInt8]] = []

    private struct Source {
        var text: [UInt8]
        var unknownMembers: [[UInt8]]
    }

    /// An empty document.
    init() {}

    /// - Throws: `config` with the path and line, also for a schema newer than `schema`.
    init(parsing bytes: [UInt8], path: String) throws(VTError) {
        let file = JSONFile(path: path, bytes: bytes)
        let document = try file.outline()
        let members = try file.members(of: document, name: "the document")
        try file.checkSchema(of: members, in: document, newest: Self.schema)
        for member in members where !["schema", "profiles"].contains(member.name) {
            unknownMembers.append(file.text(of: member))
        }
        guard let list = members.first(where: { $0.name == "profiles" })?.value else {
            throw file.error(at: document, "'profiles' is missing")
        }
        let known = Set(Profile.CodingKeys.allCases.map(\.rawValue))
        for member in try file.members(of: list, name: "'profiles'") {
            let name = "profile '\(member.name)'"
            _ = try file.members(of: member.value, name: name)
            let profile = try Profile(JSONFields(file: file, object: member.value, name: name))
            try Self.check(profile, at: member, in: file)
            profiles[member.name] = profile
            let unknown = member.value.members?.filter { !known.contains($0.name) } ?? []
            sources[member.name] = Source(
                text: file.text(of: member.value),
                unknownMembers: unknown.map { file.text(of: $0) }
            )
        }
    }

    /// The document with its profiles replaced by `changed`.
    func rendered(with changed: [String: Profile]) throws(VTError) -> [UInt8] {
        let identifiers = Dictionary(profiles.map { ($0.value.id, $0.key) }) { first, _ in first }
        var lines: [[UInt8]] = []
        for (name, profile) in changed.sorted(by: { $0.key < $1.key }) {
            // A renamed profile keeps its ID.
            let source = identifiers[profile.id].flatMap { sources[$0] }
            var text = source?.text ?? []
            if profile != profiles[name] {
                text = try Self.render(profile, unknownMembers: source?.unknownMembers ?? [])
            }
            lines.append(Array("    \"\(name)\": ".utf8) + text)
        }
        let list = lines.isEmpty ? Array("{}".utf8) : Array("{\n".utf8) + Self.join(lines) + Array("\n  }".utf8)
        let members = [Array("\"schema\": \(Self.schema)".utf8), Array("\"profiles\": ".utf8) + list] + unknownMembers
        return Array("{\n".utf8) + Self.join(members.map { Array("  ".utf8) + $0 }) + Array("\n}\n".utf8)
    }

    /// One member per line, in the order of `Profile.CodingKeys`.
    private static func render(_ profile: Profile, unknownMembers: [[UInt8]]) throws(VTError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes: [UInt8]
        let encoded: [JSONOutline.Member]
        do {
            bytes = Array(try encoder.encode(profile))
            encoded = try JSONOutlineParser.parse(bytes).members ?? []
        } catch {
            throw VTError(.internal, "cannot encode profile '\(profile.name)' as JSON", causes: ["\(error)"])
        }
        let known = Profile.CodingKeys.allCases.compactMap { key in
            encoded.first { $0.name == key.rawValue }
                .map { Array("\"\($0.name)\": ".utf8) + bytes[$0.value.range] }
        }
        let lines = (known + unknownMembers).map { Array("      ".utf8) + $0 }
        return Array("{\n".utf8) + join(lines) + Array("\n    }".utf8)
    }

    private static func join(_ lines: [[UInt8]]) -> [UInt8] {
        Array(lines.joined(separator: Array(",\n".utf8)))
    }

    /// Rejects values that are valid JSON but not valid in a profile.
    private static func check(
        _ profile: Profile,
        at member: JSONOutline.Member,
        in file: JSONFile
    ) throws(VTError) {
        var field: Profile.CodingKeys?
        if profile.name != member.name { field = .name }
        if !Destination.isHost(profile.host), profile.via == nil { field = .host }
        if let via = profile.via, (try? ViaCommand(parsing: via)) == nil { field = .via }
        if let user = profile.user, !Destination.isUser(user) { field = .user }
        if !profile.environment.keys.allSatisfy({ EnvironmentVariable.isName($0) }) { field = .environment }
        guard let field else { return }
        let place = member.value.nearest(to: [field])
        throw file.error(at: place, "'\(field.rawValue)' in profile '\(member.name)' is invalid")
    }
}

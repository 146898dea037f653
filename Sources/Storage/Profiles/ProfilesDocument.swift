import Core

/// The profiles file: `{ "schema": 1, "profiles": { NAME: {…} } }`.
///
/// Data written by a later vt and unknown to this one is preserved: unknown members are kept, and the text of an
/// unchanged profile is not modified.
struct ProfilesDocument {
    /// The schema that this vt reads and writes.
    static let schema = 1

    private(set) var profiles: [String: Profile] = [:]
    /// The file as it was read.
    private var bytes: [UInt8] = []
    /// The text in the file for each profile.
    private var sources: [String: Source] = [:]
    /// The text of document members other than `schema` and `profiles`.
    private var unknownMembers: [Range<Int>] = []

    private struct Source {
        var text: Range<Int>
        var unknownMembers: [Range<Int>]
    }

    /// An empty document.
    init() {}

    /// - Throws: `config` with the path and line, also for a schema newer than `schema`.
    init(parsing bytes: [UInt8], path: String) throws(VTError) {
        self.bytes = bytes
        let file = JSONFile(path: path, bytes: bytes)
        let document = try file.outline()
        let members = try file.members(of: document, name: "the document")
        try file.checkSchema(of: members, in: document, newest: Self.schema)
        for member in members where !["schema", "profiles"].contains(member.name) {
            unknownMembers.append(member.range)
        }
        guard let list = members.first(where: { $0.name == "profiles" })?.value else {
            throw file.error(at: document, "'profiles' is missing")
        }
        for member in try file.members(of: list, name: "'profiles'") {
            let name = "profile '\(member.name)'"
            _ = try file.members(of: member.value, name: name)
            var profile = Profile()
            let unknown = try file.read(name) { () throws(JSONValueError) in
                try Profile.fields.read(member.value, in: bytes, into: &profile)
            }
            try Self.check(profile, at: member, in: file)
            profiles[member.name] = profile
            sources[member.name] = Source(text: member.value.range, unknownMembers: unknown.map(\.range))
        }
    }

    /// The document with its profiles replaced by `changed`.
    func rendered(with changed: [String: Profile]) -> [UInt8] {
        let identifiers = Dictionary(profiles.map { ($0.value.id, $0.key) }) { first, _ in first }
        var lines: [[UInt8]] = []
        for (name, profile) in changed.sorted(by: { $0.key < $1.key }) {
            // A renamed profile keeps its ID.
            let source = identifiers[profile.id].flatMap { sources[$0] }
            let text =
                if let source, profile == profiles[name] {
                    Array(bytes[source.text])
                } else {
                    render(profile, unknownMembers: source?.unknownMembers ?? [])
                }
            lines.append(Array("    \"\(name)\": ".utf8) + text)
        }
        let list = lines.isEmpty ? Array("{}".utf8) : Array("{\n".utf8) + Self.join(lines) + Array("\n  }".utf8)
        let members =
            [Array("\"schema\": \(Self.schema)".utf8), Array("\"profiles\": ".utf8) + list]
            + unknownMembers.map { Array(bytes[$0]) }
        return Array("{\n".utf8) + Self.join(members.map { Array("  ".utf8) + $0 }) + Array("\n}\n".utf8)
    }

    /// One member per line, in the order of `Profile.fields`.
    private func render(_ profile: Profile, unknownMembers: [Range<Int>]) -> [UInt8] {
        let known = Profile.fields.fields.compactMap { field -> [UInt8]? in
            var writer = JSONWriter()
            field.write(profile, &writer)
            let name = Array("\"\(field.name)\":".utf8)
            return writer.bytes.isEmpty ? nil : name + [UInt8(ascii: " ")] + writer.bytes.dropFirst(name.count)
        }
        let lines = (known + unknownMembers.map { Array(bytes[$0]) }).map { Array("      ".utf8) + $0 }
        return Array("{\n".utf8) + Self.join(lines) + Array("\n    }".utf8)
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
        var field: String?
        if profile.name != member.name || (try? ProfileName(profile.name)) == nil { field = "name" }
        if profile.port == 0 { field = "port" }
        if profile.transport == .ssh, !Destination.isHost(profile.host) { field = "host" }
        if let user = profile.user, !Destination.isUser(user) { field = "user" }
        if !profile.environment.keys.allSatisfy({ EnvironmentVariable.isName($0) }) { field = "environment" }
        guard let field else { return }
        let value = member.value.member(field) ?? member.value
        throw file.error(at: value, "'\(field)' in profile '\(member.name)' is invalid")
    }
}

import Core

/// A template for a file name, with `{profile}`, `{session}`, `{id}`, `{start}` and `{start:FORMAT}` as placeholders.
///
/// A value never adds a `/` to the name, nor a dot at the start of a path component.
package struct RecordingName: Hashable, Sendable {
    private enum Part: Hashable {
        case text(String)
        case profile
        case session
        case id
        case start(String)
    }

    /// The values of the placeholders.
    package struct Values: Sendable {
        package var profile: String?
        package var session: String
        /// Nil if the session has not started.
        package var id: String?
        package var start: Timestamp

        package init(profile: String?, session: String, id: String?, start: Timestamp) {
            self.profile = profile
            self.session = session
            self.id = id
            self.start = start
        }
    }

    package let template: String
    private var parts: [Part] = []

    /// ISO 8601 basic format; in UTC, like all times.
    private static let standardFormat = "%Y%m%dT%H%M%SZ"

    /// - Throws: `usage` for empty text, an unmatched `{`, an unknown placeholder or an invalid time format.
    package init(parsing text: String) throws(VTError) {
        guard !text.isEmpty else { throw VTError(.usage, "the file name is empty") }
        template = text
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            parts.append(.text(String(rest[..<brace])))
            rest = rest[rest.index(after: brace)...]
            if rest.first == "{" {
                parts.append(.text("{"))
                rest = rest.dropFirst()
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw VTError(
                    .usage,
                    "unmatched '{' in '\(text)'",
                    hint: "write '{{' for a literal '{'"
                )
            }
            parts.append(try Self.part(rest[..<end]))
            rest = rest[rest.index(after: end)...]
        }
        parts.append(.text(String(rest)))
    }

    private static func part(_ name: Substring) throws(VTError) -> Part {
        switch name {
        case "profile": return .profile
        case "session": return .session
        case "id": return .id
        case "start": return .start(standardFormat)
        case _ where name.hasPrefix("start:"):
            let format = String(name.dropFirst("start:".count))
            // The validity of a format does not depend on the time.
            _ = try Timestamp(seconds: 0).text(format: format)
            return .start(format)
        default:
            throw VTError(
                .usage,
                "unknown placeholder '{\(name)}'",
                hint: "use {profile}, {session}, {id} or {start:%Y%m%dT%H%M%S}"
            )
        }
    }

    /// Returns the file name.
    ///
    /// - Throws: `usage` for `{id}` if there is no session yet.
    package func text(_ values: Values) throws(VTError) -> String {
        var text = ""
        for part in parts { text += try Self.text(of: part, values, after: text) }
        return text
    }

    private static func text(of part: Part, _ values: Values, after text: String) throws(VTError) -> String {
        switch part {
        case .text(let constant): return constant
        case .profile: return clean(values.profile ?? ProfileName.local, after: text)
        case .session: return clean(values.session, after: text)
        case .start(let format): return clean(try values.start.text(format: format), after: text)
        case .id:
            guard let id = values.id else {
                throw VTError(.usage, "'{id}' is not known before the session starts", hint: "use {session}")
            }
            return id
        }
    }

    private static func clean(_ value: String, after text: String) -> String {
        let isUnclean: (Unicode.Scalar) -> Bool = { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F }
        var name = String(value.unicodeScalars.map { isUnclean($0) ? "_" : Character($0) })
        if name.first == ".", text.isEmpty || text.last == "/" { name = "_" + name.dropFirst() }
        return name
    }
}

import Core

/// Builds the header of a recording from its members.
struct HeaderReading {
    private var faults: [(line: Int, fault: Fault)] = []
    private var size: (columns: Int?, rows: Int?) = (nil, nil)
    private var header: RecordingHeader

    /// - Throws: `data.invalid`, with the line number.
    static func header(
        _ version: RecordingHeader.Version,
        _ members: [HeaderMember],
        firstLine: Int,
        _ policy: RecordingPolicy,
        _ notes: inout RecordingNotes
    ) throws(VTError) -> RecordingHeader {
        var reading = HeaderReading(header: RecordingHeader(version: version, size: .standard))
        for member in members where member.name != "version" && !member.isNull {
            reading.attempt(member) { reading, member throws(Fault) in try reading.apply(member) }
        }
        for (line, fault) in reading.faults {
            guard policy == .lenient, !fault.isFatal else { throw .invalid(line, fault.message) }
            notes.add(line, fault.message)
        }
        guard let columns = reading.size.columns, let rows = reading.size.rows else {
            let names = version == .v3 ? "'cols' or 'rows' in 'term'" : "'width' or 'height'"
            throw .invalid(firstLine, "the header lacks \(names)")
        }
        guard let size = TerminalSize(columns: columns, rows: rows) else {
            throw .invalid(firstLine, "invalid terminal size \(columns)x\(rows)")
        }
        reading.header.size = size
        return reading.header
    }

    /// An error in a member.
    private struct Fault: Error {
        var message: String
        /// Whether the recording cannot be read without the member.
        var isFatal = false
    }

    private mutating func attempt(
        _ member: HeaderMember,
        _ body: (inout HeaderReading, HeaderMember) throws(Fault) -> Void
    ) {
        do throws(Fault) {
            try body(&self, member)
        } catch {
            faults.append((member.line, error))
        }
    }

    private mutating func apply(_ member: HeaderMember) throws(Fault) {
        switch (member.name, header.version) {
        case ("width", .v1), ("width", .v2): size.columns = try side(member)
        case ("height", .v1), ("height", .v2): size.rows = try side(member)
        case ("term", .v3): try terminal(member)
        case ("term", .v2) where member.members != nil: try terminal(member)
        case ("theme", .v1), ("theme", .v2): header.theme = try theme(member)
        case ("timestamp", _): header.timestamp = try timestamp(member)
        case ("idle_time_limit", _): header.idleTimeLimit = try seconds(member)
        case ("duration", _): header.duration = try seconds(member)
        case ("command", _): header.command = try string(member)
        case ("title", _): header.title = try string(member)
        case ("env", _): header.environment = try environment(member)
        default: header.extras.append(member.extra)
        }
    }

    // MARK: - Values

    private func side(_ member: HeaderMember) throws(Fault) -> Int {
        guard let number: Int = member.value.integer(in: member.document) else {
            throw Fault(message: "'\(member.name)' is not an integer", isFatal: true)
        }
        return number
    }

    private func timestamp(_ member: HeaderMember) throws(Fault) -> Int64 {
        guard let number: Int64 = member.value.integer(in: member.document) else {
            throw Fault(message: "'\(member.name)' is not an integer")
        }
        return number
    }

    private func seconds(_ member: HeaderMember) throws(Fault) -> Double {
        guard let number = member.value.number(in: member.document), number.isFinite, number >= 0 else {
            throw Fault(message: "'\(member.name)' is not a number of seconds")
        }
        return number
    }

    private func string(_ member: HeaderMember) throws(Fault) -> String {
        guard let text = member.string else { throw Fault(message: "'\(member.name)' is not a string") }
        return text
    }

    private func environment(_ member: HeaderMember) throws(Fault) -> [RecordingHeader.Variable] {
        guard let members = member.members else { throw Fault(message: "'env' is not an object") }
        var variables: [RecordingHeader.Variable] = []
        for variable in members {
            guard variable.isNull || variable.string != nil else {
                throw Fault(message: "'\(variable.name)' in 'env' is not a string")
            }
            variables.append(RecordingHeader.Variable(name: variable.name, value: variable.string))
        }
        return variables
    }

    /// Reads `term`, which contains the size in v3; in v2, where it is undefined, vt writes the other fields to it.
    private mutating func terminal(_ member: HeaderMember) throws(Fault) {
        guard let members = member.members else {
            throw Fault(message: "'term' is not an object", isFatal: true)
        }
        for part in members where !part.isNull {
            attempt(part) { reading, part throws(Fault) in try reading.applyPart(part) }
        }
    }

    private mutating func applyPart(_ part: HeaderMember) throws(Fault) {
        switch (part.name, header.version) {
        case ("cols", .v3): size.columns = try side(part)
        case ("rows", .v3): size.rows = try side(part)
        case ("type", _): header.terminalType = try string(part)
        case ("version", _): header.terminalVersion = try string(part)
        case ("theme", .v3): header.theme = try theme(part)
        default: header.terminalExtras.append(part.extra)
        }
    }

    /// Returns nil if one of the colors is missing, as in recordings of terminals that did not report all of them.
    private func theme(_ member: HeaderMember) throws(Fault) -> RecordingTheme? {
        guard let members = member.members else { throw Fault(message: "'theme' is not an object") }
        func text(_ name: String) throws(Fault) -> String? {
            guard let member = members.first(where: { $0.name == name && !$0.isNull }) else { return nil }
            guard let text = member.string else { throw Fault(message: "'\(name)' in 'theme' is not a string") }
            return text
        }
        let (foreground, background, palette) = (try text("fg"), try text("bg"), try text("palette"))
        guard let foreground, let background, let palette else { return nil }
        let theme = RecordingTheme(
            foreground: foreground,
            background: background,
            palette: palette.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        )
        guard let theme else {
            throw Fault(message: "'theme' needs 'fg' and 'bg' as '#rrggbb', and a palette of 8 or 16 colors")
        }
        return theme
    }
}

extension VTError {
    /// The error for a malformed recording; the line is counted from 1.
    static func invalid(_ line: Int, _ message: String, hint: String? = nil) -> VTError {
        VTError(.dataInvalid, "line \(line): \(message)", hint: hint)
    }
}

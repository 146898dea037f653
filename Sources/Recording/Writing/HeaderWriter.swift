import Core

/// Writes the header of a recording on one line.
///
/// The keys are in the order that asciinema 3 uses, followed by the keys of the original header that vt did not
/// recognize, except for those that the written version defines.
struct HeaderWriter {
    private var bytes: [UInt8] = []
    private var needsComma = false

    static func line(_ header: RecordingHeader, _ format: AsciicastVersion) -> [UInt8] {
        var writer = HeaderWriter()
        writer.open("{")
        switch format {
        case .v3: writer.versionThree(header)
        case .v2: writer.versionTwo(header)
        }
        writer.close("}\n")
        return writer.bytes
    }

    private mutating func versionThree(_ header: RecordingHeader) {
        number("version", "3")
        object("term") { writer in
            writer.number("cols", String(header.size.columns))
            writer.number("rows", String(header.size.rows))
            writer.string("type", header.terminalType)
            writer.string("version", header.terminalVersion)
            writer.theme(header.theme)
            writer.extras(header.terminalExtras, besides: ["cols", "rows", "theme"])
        }
        shared(header)
        extras(header.extras, besides: ["term"])
    }

    private mutating func versionTwo(_ header: RecordingHeader) {
        number("version", "2")
        number("width", String(header.size.columns))
        number("height", String(header.size.rows))
        shared(header)
        theme(header.theme)
        // v2 does not define keys for these values; other readers ignore this member.
        if header.terminalType != nil || header.terminalVersion != nil || !header.terminalExtras.isEmpty {
            object("term") { writer in
                writer.string("type", header.terminalType)
                writer.string("version", header.terminalVersion)
                writer.extras(header.terminalExtras, besides: [])
            }
        }
        extras(header.extras, besides: ["width", "height", "theme"])
    }

    private mutating func shared(_ header: RecordingHeader) {
        number("timestamp", header.timestamp.map { String($0) })
        number("duration", header.duration.map(Self.text))
        number("idle_time_limit", header.idleTimeLimit.map(Self.text))
        string("command", header.command)
        string("title", header.title)
        guard let environment = header.environment else { return }
        object("env") { writer in
            for variable in environment {
                if let value = variable.value {
                    writer.string(variable.name, value)
                } else {
                    writer.number(variable.name, "null")
                }
            }
        }
    }

    /// The shortest text that parses as the same number, without a trailing `.0`.
    private static func text(_ number: Double) -> String {
        guard number.isFinite else { return "0" }
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private mutating func theme(_ theme: RecordingTheme?) {
        guard let theme else { return }
        object("theme") { writer in
            writer.string("fg", theme.foreground)
            writer.string("bg", theme.background)
            writer.string("palette", theme.palette.joined(separator: ":"))
        }
    }

    // MARK: - Parts

    private mutating func open(_ sign: String) {
        bytes += Array(sign.utf8)
        needsComma = false
    }

    private mutating func close(_ sign: String) {
        bytes += Array(sign.utf8)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes += Array(", ".utf8) }
        needsComma = true
    }

    private mutating func name(_ name: String) {
        separate()
        JSONStringWriter.append(name, to: &bytes)
        bytes += Array(": ".utf8)
    }

    private mutating func object(_ name: String, _ members: (inout HeaderWriter) -> Void) {
        self.name(name)
        open("{")
        members(&self)
        close("}")
    }

    private mutating func number(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        bytes += Array(text.utf8)
    }

    private mutating func string(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        JSONStringWriter.append(text, to: &bytes)
    }

    private mutating func extras(_ extras: [ExtraMember], besides taken: Set<String>) {
        for extra in extras where !taken.contains(extra.name) {
            separate()
            bytes += extra.text
        }
    }
}

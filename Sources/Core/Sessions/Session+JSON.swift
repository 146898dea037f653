/// The format of `session.json` and of the answer to a status request: one object, schema 1.
///
/// Keys may be added but are never renamed; values that are not known are omitted.
extension Session {
    /// The schema that this vt writes, and the newest that it reads.
    package static let schema = 1

    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.member("schema", Self.schema)
            for field in Self.fields.fields where field.isStored { field.write(self, &object) }
            object.member("columns", size.columns)
            object.member("rows", size.rows)
            object.member("exit_code", exit?.code)
            object.member("exit_signal", exit?.signal)
            object.member("core_dumped", exit?.coreDumped)
            object.member("boot_id", bootID)
            object.member("sent_text", sentText)
            object.member("pid", program?.processID)
            object.member("pid_start", program?.startTicks)
            object.member("holder_pid", holder?.processID)
            object.member("holder_start", holder?.startTicks)
        }
        return writer.bytes
    }

    /// Parses a document in the format of `json`; `source` names it in errors, such as `'a/session.json'`.
    ///
    /// - Throws: `config` when the document is malformed or has a newer schema.
    package init(json bytes: [UInt8], source: String) throws(VTError) {
        let document: JSONOutline
        do throws(JSONSyntaxError) {
            document = try JSONOutlineParser.parse(bytes)
        } catch {
            throw VTError(.config, "\(source) line \(error.line): \(error.message)")
        }
        let schema: Int? = document.member("schema")?.integer(in: bytes)
        if let schema, schema > Self.schema {
            throw VTError(.config, "\(source): schema \(schema) is too new: this vt supports schema \(Self.schema)")
        }
        self.init()
        do throws(JSONValueError) {
            _ = try document.required("schema", in: bytes) as Int
            try read(document, in: bytes)
        } catch {
            throw VTError(.config, "\(source): \(error.message(for: "the record"))")
        }
    }

    private mutating func read(_ document: JSONOutline, in bytes: [UInt8]) throws(JSONValueError) {
        _ = try Self.fields.read(document, in: bytes, into: &self)
        let (columns, rows): (Int, Int) = (
            try document.required("columns", in: bytes), try document.required("rows", in: bytes)
        )
        size = try document.valid(TerminalSize(columns: columns, rows: rows))
        if let code: UInt32 = try document.optional("exit_code", in: bytes) {
            exit = .exited(code)
        } else if let signal: SignalName = try document.optional("exit_signal", in: bytes) {
            let coreDumped: Bool? = try document.optional("core_dumped", in: bytes)
            exit = .signalled(signal, coreDumped: coreDumped ?? false)
        }
        bootID = try document.optional("boot_id", in: bytes) ?? ""
        sentText = try document.optional("sent_text", in: bytes)
        program = try Self.process("pid", "pid_start", document, bytes)
        holder = try Self.process("holder_pid", "holder_start", document, bytes)
    }

    private static func process(
        _ name: String,
        _ start: String,
        _ document: JSONOutline,
        _ bytes: [UInt8]
    ) throws(JSONValueError) -> SessionProcess? {
        let processID: Int32? = try document.optional(name, in: bytes)
        let startTicks: UInt64? = try document.optional(start, in: bytes)
        guard let processID, let startTicks else { return nil }
        return SessionProcess(processID: processID, startTicks: startTicks)
    }

    /// Whether an unreadable document has a newer schema, rather than being damaged.
    package static func isOfLaterVersion(_ json: [UInt8]) -> Bool {
        guard let document = try? JSONOutlineParser.parse(json) else { return false }
        let schema: Int? = document.member("schema")?.integer(in: json)
        return schema.map { $0 > Self.schema } ?? false
    }
}

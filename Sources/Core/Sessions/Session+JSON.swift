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
            object.member("id", id.text)
            object.member("name", name)
            object.member("state", state.rawValue)
            object.member("command", command)
            object.member("cwd", directory)
            object.member("environment_names", environmentNames)
            object.member("columns", size.columns)
            object.member("rows", size.rows)
            object.member("term", terminalType)
            object.member("tags", tags)
            object.member("created_at", createdAt.rawValue)
            object.member("started_at", startedAt?.rawValue)
            object.member("ended_at", endedAt?.rawValue)
            switch exit {
            case .exited(let code): object.member("exit_code", code)
            case .signalled(let signal, let coreDumped):
                object.member("exit_signal", signal.text)
                object.member("core_dumped", coreDumped)
            case nil: break
            }
            object.member("failure", failure)
            object.member("output_bytes", outputBytes)
            object.member("first_offset", firstOffset)
            object.member("sent_offset", sentOffset)
            object.member("log_stopped_at", logStoppedAt)
            object.member("log_max", logLimitBytes)
            if logsInput { object.member("log_input", true) }
            object.member("keep_for", keepFor?.components.seconds)
            object.member("clients", clients)
            object.member("survives", survival)
            object.member("host", host)
            object.member("boot_id", bootID)
            object.member("pid", program?.processID)
            object.member("pid_start", program?.startTicks)
            object.member("holder_pid", holder?.processID)
            object.member("holder_start", holder?.startTicks)
            object.member("version", version)
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
        let fields = Fields(document: document, bytes: bytes, source: source)
        let schema: Int = try fields.required("schema", fields.integer("schema"))
        guard schema <= Self.schema else {
            throw VTError(.config, "\(source): schema \(schema) is too new: this vt supports schema \(Self.schema)")
        }
        self.init(
            id: try fields.required("id", fields.string("id").flatMap(SessionID.init)),
            name: try fields.required("name", fields.string("name")),
            state: try fields.required("state", fields.string("state").flatMap(SessionState.init)),
            command: fields.strings("command"),
            directory: try fields.required("cwd", fields.string("cwd")),
            size: try fields.required("columns", fields.size()),
            terminalType: try fields.required("term", fields.string("term")),
            createdAt: try fields.required("created_at", fields.timestamp("created_at")),
            host: try fields.required("host", fields.string("host")),
            bootID: fields.string("boot_id") ?? "",
            version: fields.string("version") ?? ""
        )
        environmentNames = fields.strings("environment_names")
        tags = fields.strings("tags")
        startedAt = fields.timestamp("started_at")
        endedAt = fields.timestamp("ended_at")
        exit = fields.exit()
        failure = fields.string("failure")
        outputBytes = fields.integer("output_bytes") ?? 0
        firstOffset = fields.integer("first_offset") ?? 0
        sentOffset = fields.integer("sent_offset")
        logStoppedAt = fields.integer("log_stopped_at")
        logLimitBytes = fields.integer("log_max") ?? Self.defaultLogLimitBytes
        logsInput = fields.bool("log_input") ?? false
        let keptSeconds: Int64? = fields.integer("keep_for")
        keepFor = keptSeconds.map { .seconds(max(0, $0)) }
        clients = fields.integer("clients")
        survival = fields.string("survives")
        program = fields.process("pid", "pid_start")
        holder = fields.process("holder_pid", "holder_start")
    }

    /// Whether an unreadable document has a newer schema, rather than being damaged.
    package static func isOfLaterVersion(_ json: [UInt8]) -> Bool {
        guard let document = try? JSONOutlineParser.parse(json) else { return false }
        let schema: Int? = document.member("schema")?.integer(in: json)
        return schema.map { $0 > Self.schema } ?? false
    }

    private struct Fields {
        let document: JSONOutline
        let bytes: [UInt8]
        let source: String

        func required<Value>(_ name: String, _ value: Value?) throws(VTError) -> Value {
            guard let value else { throw VTError(.config, "\(source): '\(name)' is missing or invalid") }
            return value
        }

        func string(_ name: String) -> String? { document.member(name)?.string(in: bytes) }

        func integer<Number: FixedWidthInteger>(_ name: String) -> Number? { document.member(name)?.integer(in: bytes) }

        func bool(_ name: String) -> Bool? { document.member(name)?.bool(in: bytes) }

        func timestamp(_ name: String) -> Timestamp? { string(name).flatMap(Timestamp.init) }

        func strings(_ name: String) -> [String] {
            (document.member(name)?.elements ?? []).compactMap { $0.string(in: bytes) }
        }

        func size() -> TerminalSize? {
            guard let columns: Int = integer("columns"), let rows: Int = integer("rows") else { return nil }
            return TerminalSize(columns: columns, rows: rows)
        }

        func exit() -> ExitStatus? {
            if let code: UInt32 = integer("exit_code") { return .exited(code) }
            guard let signal = string("exit_signal") else { return nil }
            return .signalled(SignalName(signal), coreDumped: bool("core_dumped") ?? false)
        }

        func process(_ name: String, _ start: String) -> SessionProcess? {
            guard let processID: Int32 = integer(name), let start: UInt64 = integer(start) else { return nil }
            return SessionProcess(processID: processID, startTicks: start)
        }
    }
}

import Core

/// A JSON document returned by a server's vt, or a part of it.
///
/// Members added by later versions are ignored.
struct RemoteDocument {
    private let outline: JSONOutline
    private let bytes: [UInt8]
    private let server: String

    /// - Throws: `protocol` when the bytes are not valid JSON.
    init(_ bytes: [UInt8], from server: String) throws(VTError) {
        do throws(JSONSyntaxError) {
            outline = try JSONOutlineParser.parse(bytes)
        } catch {
            throw VTError(.protocolViolation, "invalid JSON in the response from '\(server)': \(error.message)")
        }
        self.bytes = bytes
        self.server = server
    }

    private init(_ outline: JSONOutline, in document: RemoteDocument) {
        self.outline = outline
        bytes = document.bytes
        server = document.server
    }

    func elements() throws(VTError) -> [RemoteDocument] {
        guard let elements = outline.elements else { throw malformed("an array") }
        return elements.map { RemoteDocument($0, in: self) }
    }

    // MARK: - Members

    func string(_ name: String) -> String? { outline.member(name)?.string(in: bytes) }

    func bool(_ name: String) -> Bool? { outline.member(name)?.bool(in: bytes) }

    func strings(_ name: String) -> [String] {
        (outline.member(name)?.elements ?? []).compactMap { $0.string(in: bytes) }
    }

    func integer<Number: FixedWidthInteger>(_ name: String) -> Number? { outline.member(name)?.integer(in: bytes) }

    func unsigned(_ name: String) throws(VTError) -> UInt64 { try required(name, integer(name)) }

    func required<Value>(_ name: String, _ value: Value?) throws(VTError) -> Value {
        guard let value else { throw malformed("a valid '\(name)'") }
        return value
    }

    private func malformed(_ what: String) -> VTError {
        VTError(
            .protocolViolation,
            "the response from '\(server)' lacks \(what)",
            hint: "compare the versions: 'vt version' and 'vt exec \(server) -- vt version'"
        )
    }

    // MARK: - Sessions

    func id() throws(VTError) -> SessionID { try required("id", string("id").flatMap(SessionID.init)) }

    func state() throws(VTError) -> SessionState { try required("state", string("state").flatMap(SessionState.init)) }

    func exit() -> ExitStatus? {
        guard let outline = outline.member("exit") else { return nil }
        let exit = RemoteDocument(outline, in: self)
        if let code: UInt32 = exit.integer("code") { return .exited(code) }
        return exit.string("signal").map { .signalled(SignalName($0), coreDumped: exit.bool("core_dumped") ?? false) }
    }

    /// A session in the format of `vt sessions show --json`.
    func session() throws(VTError) -> Session {
        var session = Session(
            id: try id(),
            name: try required("name", string("name")),
            state: try state(),
            command: strings("command"),
            directory: string("cwd") ?? "",
            size: size() ?? .standard,
            terminalType: string("term") ?? "",
            createdAt: try required("created_at", timestamp("created_at")),
            host: string("host") ?? "",
            bootID: "",
            version: string("version") ?? ""
        )
        session.tags = strings("tags")
        session.environmentNames = strings("environment_names")
        (session.startedAt, session.endedAt) = (timestamp("started_at"), timestamp("ended_at"))
        (session.exit, session.failure) = (exit(), string("failure"))
        session.outputBytes = integer("output_bytes") ?? 0
        session.firstOffset = integer("first_offset") ?? 0
        session.sentOffset = integer("sent_offset")
        session.logStoppedAt = integer("log_stopped_at")
        session.logLimitBytes = integer("log_max") ?? session.logLimitBytes
        session.logsInput = bool("log_input") ?? false
        let keptSeconds: Int64? = integer("keep_for")
        session.keepFor = keptSeconds.map { .seconds(max(0, $0)) }
        session.clients = integer("clients")
        session.survival = string("survives")
        session.program = integer("pid").map { SessionProcess(processID: $0, startTicks: 0) }
        return session
    }

    private func timestamp(_ name: String) -> Timestamp? { string(name).flatMap(Timestamp.init) }

    private func size() -> TerminalSize? {
        guard let outline = outline.member("size") else { return nil }
        let size = RemoteDocument(outline, in: self)
        guard let columns: Int = size.integer("columns"), let rows: Int = size.integer("rows") else { return nil }
        return TerminalSize(columns: columns, rows: rows)
    }
}

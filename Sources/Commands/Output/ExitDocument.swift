import Core

/// How a program ended: `{"code":3}` or `{"signal":"TERM","core_dumped":false}`.
struct ExitDocument {
    private var code: UInt32?
    private var signal: String?
    private var coreDumped: Bool?

    init() {}

    init(_ status: ExitStatus) {
        switch status {
        case .exited(let code): self.code = code
        case .signalled(let signal, let coreDumped):
            self.signal = signal.text
            self.coreDumped = coreDumped
        }
    }

    /// The status in the document; nil if it has none.
    var status: ExitStatus? {
        if let code { return .exited(code) }
        return signal.map { .signalled(SignalName($0), coreDumped: coreDumped ?? false) }
    }
}

extension ExitDocument: JSONRecord {
    static let documentName = "exit"
    static let documentSummary = "how a program ended: either an exit status or a signal"

    static let fields: JSONTable<Self> = [
        .stored("code", \.code, "exit status"),
        .stored("signal", \.signal, "name of the signal that terminated the program, without SIG"),
        .stored("core_dumped", \.coreDumped, "whether the signal caused a core dump"),
    ]
}

import Core

/// How a program ended: `{"code":3}` or `{"signal":"TERM","core_dumped":false}`.
struct ExitDocument: Codable {
    private var code: UInt32?
    private var signal: String?
    private var coreDumped: Bool?

    private enum CodingKeys: String, CodingKey {
        case code, signal
        case coreDumped = "core_dumped"
    }

    init(_ status: ExitStatus) {
        switch status {
        case .exited(let code): self.code = code
        case .signalled(let signal, let coreDumped):
            self.signal = signal.text
            self.coreDumped = coreDumped
        }
    }
}

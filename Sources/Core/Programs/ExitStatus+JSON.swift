/// JSON: `{"code":3}`, `{"signal":"TERM","core_dumped":false}` or `{"unknown":true}`.
extension ExitStatus: JSONDocument, JSONReadable {
    package static let documentName = "exit"
    package static let documentSummary = "how a program ended: an exit status, a signal, or unknown"

    package static let fields: JSONTable<Self> = [
        .field("code", \.code, "exit status"),
        .field("signal", \.signal, "name of the signal that terminated the program, without SIG"),
        .field("core_dumped", \.coreDumped, "whether the signal caused a core dump"),
        .field("unknown", \.isUnknown, "true if the server reported neither an exit status nor a signal"),
    ]

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        if let code: UInt32 = try json.optional("code", in: document) {
            self = .exited(code)
        } else if try json.optional("unknown", in: document) == true {
            self = .unknown
        } else {
            let coreDumped: Bool? = try json.optional("core_dumped", in: document)
            self = .signalled(try json.required("signal", in: document), coreDumped: coreDumped ?? false)
        }
    }

    /// Nil if a signal terminated the program, or if that is not known.
    package var code: UInt32? {
        if case .exited(let code) = self { code } else { nil }
    }

    /// Nil if the program exited, or if that is not known.
    package var signal: SignalName? {
        if case .signalled(let signal, _) = self { signal } else { nil }
    }

    /// Nil if the program exited, or if that is not known.
    package var coreDumped: Bool? {
        if case .signalled(_, let coreDumped) = self { coreDumped } else { nil }
    }

    /// Nil if it is known how the program ended.
    package var isUnknown: Bool? {
        self == .unknown ? true : nil
    }
}

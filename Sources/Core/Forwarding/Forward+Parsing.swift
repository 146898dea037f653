/// The syntax of ssh(1) for forwards.
extension Forward {
    /// Parses a forward as given with `-L` or `-R`: `[BIND:]PORT:HOST:HOSTPORT`, where a path takes the place
    /// of `[BIND:]PORT` or `HOST:HOSTPORT` (parse_forward in OpenSSH's readconf.c).
    ///
    /// IPv6 addresses must be in brackets, and a backslash makes the following character literal.
    ///
    /// - Throws: `usage` when the text does not have this form.
    package init(_ side: Side, parsing text: String) throws(VTError) {
        guard let fields = ForwardField.split(text), let (listener, rest) = Self.listener(fields),
            let target = ForwardAddress(rest)
        else {
            throw VTError(
                .usage,
                "invalid forward '\(text)'",
                hint: "expected [BIND:]PORT:HOST:HOSTPORT with ports up to 65535; a path can replace either half"
            )
        }
        self.init(side, listener: listener, target: target)
    }

    /// Parses a forward as given with `-D`: `[BIND:]PORT`, or a path.
    ///
    /// - Throws: `usage` when the text does not have this form.
    package init(dynamic text: String) throws(VTError) {
        guard let fields = ForwardField.split(text), let (listener, rest) = Self.listener(fields, isWhole: true),
            rest.isEmpty
        else {
            throw VTError(.usage, "invalid forward '\(text)'", hint: "expected [BIND:]PORT with a port up to 65535")
        }
        self.init(.local, listener: listener, target: nil)
    }

    /// The listener and the target in the form that `ssh -G` prints.
    var configured: String {
        let listener =
            switch listener {
            case .socket(let path): path
            case .port(let port, nil): "\(port)"
            case .port(let port, let address?): "[\(address.isEmpty ? "*" : address)]:\(port)"
            }
        switch target {
        case nil: return listener
        case .socket(let path): return "\(listener) \(path)"
        case .endpoint(let endpoint): return "\(listener) [\(endpoint.host)]:\(endpoint.port)"
        }
    }

    /// Returns the listener at the start of the fields, and the other fields; if `isWhole`, there is no target.
    ///
    /// A bind address is present if there are two more fields than the target has; a target that is a path has one
    /// field.
    private static func listener(
        _ fields: [ForwardField],
        isWhole: Bool = false
    ) -> (Listener, ArraySlice<ForwardField>)? {
        guard let first = fields.first else { return nil }
        if first.isPath { return (.socket(first.text), fields.dropFirst()) }
        let targetFields = isWhole ? 0 : fields.last?.isPath == true ? 1 : 2
        switch fields.count - targetFields {
        case 1:
            guard let port: UInt16 = NumberText.whole(first.text) else { return nil }
            return (.port(port, bindAddress: nil), fields.dropFirst())
        case 2:
            let address = first.text == "*" ? "" : first.text
            guard address.isEmpty || Destination.isHost(address), let port: UInt16 = NumberText.whole(fields[1].text)
            else { return nil }
            return (.port(port, bindAddress: address), fields.dropFirst(2))
        default: return nil
        }
    }
}

extension ForwardAddress {
    /// Parses the target of a single connection, as given with `-W`: `HOST:PORT`, or a path.
    ///
    /// - Throws: `usage` when the text does not have this form.
    package init(parsing text: String) throws(VTError) {
        guard let fields = ForwardField.split(text), let address = ForwardAddress(fields[...]) else {
            throw VTError(.usage, "invalid address '\(text)'", hint: "expected HOST:PORT")
        }
        self = address
    }

    /// The address that the fields form together; nil if they do not form one.
    fileprivate init?(_ fields: ArraySlice<ForwardField>) {
        guard let first = fields.first, let last = fields.last else { return nil }
        if fields.count == 1, first.isPath {
            self = .socket(first.text)
        } else if fields.count == 2, Destination.isHost(first.text), let port = Destination.parsePort(last.text) {
            self = .endpoint(Endpoint(host: first.text, port: port))
        } else {
            return nil
        }
    }
}

/// A part of a forward between colons.
private struct ForwardField {
    var text = ""
    /// Whether the part is the path of a Unix domain socket.
    var isPath: Bool { text.contains("/") }

    /// Splits at colons outside brackets; nil if a bracket is not closed or does not enclose the whole part.
    static func split(_ text: String) -> [ForwardField]? {
        var fields: [ForwardField] = []
        var rest = text[...]
        while true {
            guard let field = next(&rest) else { return nil }
            fields.append(field)
            guard rest.popFirst() != nil else { return fields }
        }
    }

    /// Reads a part, up to a colon or the end.
    private static func next(_ rest: inout Substring) -> ForwardField? {
        var field = ForwardField()
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            field.text = String(rest[..<end].dropFirst())
            rest = rest[rest.index(after: end)...]
            return rest.isEmpty || rest.first == ":" ? field : nil
        }
        while let character = rest.first, character != ":" {
            rest.removeFirst()
            guard character == "\\" else {
                field.text.append(character)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            field.text.append(escaped)
        }
        return field
    }
}

/// The options of ssh_config(5) as text.
extension ForwardSettings {
    /// Applies an option.
    ///
    /// - Parameters:
    ///   - name: the name in lower case.
    ///   - words: the words of the value.
    /// - Returns: false if it is not a forwarding option.
    /// - Throws: `usage` for a malformed value.
    package mutating func apply(_ name: String, _ words: [String]) throws(VTError) -> Bool {
        switch name {
        // The two halves can be separate words (ssh_config(5), LocalForward).
        case "localforward": add(try Forward(.local, parsing: words.joined(separator: ":")))
        case "remoteforward": add(try Forward(.remote, parsing: words.joined(separator: ":")))
        case "dynamicforward": add(try Forward(dynamic: words.joined(separator: ":")))
        case "clearallforwardings": clearsForwards = try Self.flag(name, words)
        case "exitonforwardfailure": exitsOnFailure = try Self.flag(name, words)
        case "gatewayports": acceptsFromAnywhere = try Self.flag(name, words)
        case "streamlocalbindunlink": replacesSockets = try Self.flag(name, words)
        default: return false
        }
        return true
    }

    /// Adds a forward unless it has been given before, for example in an earlier pass over a file.
    private mutating func add(_ forward: Forward) {
        if !forwards.contains(forward) { forwards.append(forward) }
    }

    private static func flag(_ name: String, _ words: [String]) throws(VTError) -> Bool {
        let text = words.joined(separator: " ")
        guard let flag = SSHConfigValue.flag(text) else {
            throw VTError(.usage, "invalid value '\(text)' for '\(name)'", hint: "see ssh_config(5)")
        }
        return flag
    }
}

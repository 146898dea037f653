/// How the value of an option of ssh_config(5) is read and written.
struct SSHValue<Value: Sendable>: Sendable {
    /// Returns nil for a malformed value.
    private let parse: @Sendable (SSHSetting) throws(VTError) -> Value?
    /// The message about a malformed value in a file, if it is not that of all other options.
    private let complaint: (@Sendable (String) -> String)?
    /// The text in the output of `ssh -G`.
    let text: @Sendable (Value) -> String

    init(
        _ complaint: (@Sendable (String) -> String)? = nil,
        text: @escaping @Sendable (Value) -> String = { "\($0)" },
        parse: @escaping @Sendable (SSHSetting) throws(VTError) -> Value?
    ) {
        (self.complaint, self.text, self.parse) = (complaint, text, parse)
    }

    /// - Throws: `usage` for a malformed value; `data.invalid` with file and line for one in a file.
    func value(of setting: SSHSetting) throws(VTError) -> Value {
        let value: Value?
        do throws(VTError) {
            value = try parse(setting)
        } catch {
            throw setting.place?.error(error.message) ?? error
        }
        if let value { return value }
        guard let place = setting.place, let complaint else { throw setting.malformed() }
        throw place.error(complaint(setting.value))
    }
}

extension SSHValue<Bool> {
    static var flag: Self { Self(text: Self.text) { $0.flag } }
    static var yesOrNo: Self { Self({ "'\($0)' is neither yes nor no" }, text: Self.text) { $0.flag } }

    private static func text(_ flag: Bool) -> String { flag ? "yes" : "no" }
}

extension SSHValue<Int> {
    static var number: Self { Self { NumberText.whole($0.value) } }
    static var positive: Self { Self { NumberText.whole($0.value).flatMap { $0 > 0 ? $0 : nil } } }
    /// A number that is at least 1; 0 means the same.
    static var count: Self { Self({ "invalid number '\($0)'" }) { NumberText.whole($0.value).map { max(1, $0) } } }
}

extension SSHValue<UInt16> {
    static var port: Self { Self({ "invalid port '\($0)'" }) { Destination.parsePort($0.value) } }
}

extension SSHValue<Duration> {
    static var duration: Self {
        Self({ "invalid time '\($0)'" }, text: { "\($0.components.seconds)" }) { SSHConfigValue.duration($0.value) }
    }
}

extension SSHValue<String> {
    static var text: Self { Self { $0.value } }
    /// The rest of the line, which is a command.
    static var command: Self { Self { $0.text } }
    /// A name that `ssh -G` prints in lower case.
    static var name: Self { Self(text: { $0.lowercased() }) { $0.value } }
    static var user: Self { Self({ "invalid user name '\($0)'" }) { Destination.isUser($0.value) ? $0.value : nil } }
    static var host: Self { Self({ "invalid host name '\($0)'" }) { Destination.isHost($0.value) ? $0.value : nil } }

    /// `true`, `false`, `unbound` or `host-bound`.
    static var publicKeys: Self {
        Self { setting in
            let word = setting.value.lowercased()
            return ["unbound", "host-bound"].contains(word) ? word : setting.flag.map { "\($0)" }
        }
    }
}

extension SSHValue<[String]> {
    /// An empty list is `none`.
    static var words: Self { Self(text: { $0.isEmpty ? "none" : $0.joined(separator: " ") }) { $0.words } }
    /// One element.
    static var element: Self { Self { [$0.value] } }
}

extension SSHValue<[Forward]> {
    static var dynamic: Self {
        Self { (setting) throws(VTError) in [try Forward(dynamic: setting.words.joined(separator: ":"))] }
    }

    /// The two halves can be separate words (ssh_config(5), LocalForward).
    static func side(_ side: Forward.Side) -> Self {
        Self { (setting) throws(VTError) in [try Forward(side, parsing: setting.words.joined(separator: ":"))] }
    }
}

extension SSHValue<[EnvironmentVariable]> {
    /// The first value of each variable applies.
    static var environment: Self {
        Self { setting throws(VTError) in
            var variables: [EnvironmentVariable] = []
            for word in setting.words {
                let variable = try EnvironmentVariable(word)
                if !variables.contains(where: { $0.name == variable.name }) { variables.append(variable) }
            }
            return variables
        }
    }
}

extension SSHValue<AddressFamily> {
    static var addressFamily: Self {
        Self(text: { $0 == .ipv4 ? "inet" : "inet6" }) { ["inet": .ipv4, "inet6": .ipv6][$0.value.lowercased()] }
    }
}

extension SSHValue<HostKeyPolicy> {
    static var policy: Self {
        Self(
            { "invalid value '\($0)' for StrictHostKeyChecking" },
            text: { [.acceptNew: "accept-new", .ask: "ask"][$0] ?? "true" },
            parse: { setting in
                switch setting.value.lowercased() {
                case "yes", "true": .strict
                case "ask": .ask
                // Even with `no`, a changed key is rejected.
                case "accept-new", "no", "off", "false": .acceptNew
                default: nil
                }
            }
        )
    }
}

extension SSHValue<HostSettings.TerminalRequest> {
    static var terminal: Self {
        Self(text: { ["yes": "true", "no": "false"][$0.rawValue] ?? $0.rawValue }) { setting in
            let word = setting.value.lowercased()
            return HostSettings.TerminalRequest(rawValue: ["true": "yes", "false": "no"][word] ?? word)
        }
    }
}

extension SSHValue<HostSettings.SessionType> {
    static var sessionType: Self {
        Self(text: { $0.rawValue }) { HostSettings.SessionType(rawValue: $0.value.lowercased()) }
    }
}

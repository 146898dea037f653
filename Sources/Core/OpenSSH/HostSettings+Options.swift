extension HostSettings {
    // MARK: - Options

    /// Applies an option of the command line, `NAME=VALUE` or `NAME VALUE`, unless it has been given before.
    ///
    /// As with ssh, the first occurrence of an option applies. Options without an equivalent are accepted if ignoring
    /// them is harmless, and rejected if it is not.
    ///
    /// - Throws: `usage` for an unknown option, and for a malformed or unsupported value.
    package mutating func apply(_ text: String) throws(VTError) {
        guard let setting = SSHSetting(parsing: text[...]), !setting.words.isEmpty else {
            throw VTError(.usage, "invalid option '\(text)': expected NAME=VALUE")
        }
        try apply(setting)
    }

    /// Applies an option, unless it has been given before.
    ///
    /// In a file, options for features that vt lacks are ignored, as are forwards that it does not support.
    ///
    /// - Throws: `usage` for an unknown option, and for a malformed or unsupported value; `data.invalid` with file and
    ///   line for a malformed value in a file.
    package mutating func apply(_ setting: SSHSetting) throws(VTError) {
        let option = SSHOption.named(setting.name)
        if let option, !option.traits.contains(.cumulative), occurrence(of: option.name) != nil { return }
        if let option {
            try option.apply(setting, to: &self)
        } else {
            let unknown = VTError(.usage, "unknown ssh option '\(setting.spelling)'", hint: "see ssh_config(5)")
            try ignore(setting, because: unknown)
        }
        settings.append(setting)
    }

    /// Ignores an option of a file, and reports why.
    ///
    /// - Throws: the reason, for an option of the command line.
    mutating func ignore(_ setting: SSHSetting, because reason: VTError) throws(VTError) {
        guard setting.place != nil else { throw reason }
        report.ignored.append(reason)
    }

    /// The first occurrence of an option.
    package func occurrence(of name: String) -> SSHSetting? {
        settings.first { SSHOption.named($0.name)?.name == name }
    }

    /// The values of all occurrences of an option.
    package func values(_ name: String) -> [String] {
        settings.filter { SSHOption.named($0.name)?.name == name }.map(\.value)
    }

    /// Removes an identity, as if it had not been given.
    package mutating func remove(identity path: String) {
        settings.removeAll { $0.name == "identityfile" && $0.value == path }
        identities?.removeAll { $0 == path }
        if identities == [] { identities = nil }
    }

    // MARK: - Precedence

    /// Returns the settings, with those that are not given taken from others.
    package func completed(by others: HostSettings) -> HostSettings {
        var result = self
        var others = others
        // The files of UserKnownHostsFile replace an additional file.
        if (userKnownHosts ?? others.userKnownHosts) != nil { others.knownHosts = nil }
        for option in SSHOption.all { option.complete(&result, others) }
        result.settings += others.settings
        result.report = others.report
        return result
    }

    /// The options with which a configuration is evaluated, by name.
    package var given: [String: String] {
        var given: [String: String] = [:]
        for setting in settings {
            guard let option = SSHOption.named(setting.name), !option.traits.contains(.cumulative) else { continue }
            given[option.name] = setting.value
        }
        given["user"] = user
        given["port"] = port.map(String.init)
        return given
    }

    // MARK: - What is set

    /// The first option that has an effect once vt is connected, on the program or forwarding; nil if there is none.
    package var effect: SSHSetting? {
        settings.first { SSHOption.named($0.name)?.traits.contains(.program) == true }
    }

    /// The first setting that applies only to SSH connections, as a noun; nil if there is none.
    package var sshProperty: String? {
        SSHOption.all.first { $0.noun != nil && $0.isSet(self) }?.noun
    }

    /// The authentication methods to try, in order.
    package var methods: [AuthenticationMethod] {
        let preferred = preferredMethods.map { $0.lowercased().split(separator: ",") }
        let methods = preferred?.compactMap { AuthenticationMethod(rawValue: String($0)) }
        return (methods ?? AuthenticationMethod.standard).filter { method in
            switch method {
            case .publicKey: publicKeys != "false"
            case .password: allowsPassword ?? true
            case .keyboardInteractive: allowsQuestions ?? true
            }
        }
    }

    /// The proxy command; nil if there is none.
    package var proxyCommand: String? {
        guard case .proxyCommand(let command) = route else { return nil }
        return command
    }

    /// The jump hosts that are not profiles, in connection order.
    package var hops: [Destination] {
        guard case .jump(let targets) = route else { return [] }
        return targets.compactMap { target in
            if case .adHoc(let destination) = target { destination } else { nil }
        }
    }

    /// Whether to run no program.
    package var runsNoProgram: Bool { sessionType == HostSettings.SessionType.none }

    /// The forwards that meet a condition, as `ssh -G` prints them.
    func forwardTexts(where condition: (Forward) -> Bool) -> [String] {
        (forwards ?? []).filter(condition).map(\.configured)
    }

    /// `offeredNames` without those that are removed again.
    var remainingNames: [String] {
        var names: [String] = []
        for name in offeredNames ?? [] {
            if name.hasPrefix("-") {
                names.removeAll { Wildcard.matches(String(name.dropFirst()), $0) }
            } else {
                names.append(name)
            }
        }
        return names
    }

    /// The options that vt honors, in the order and format of `ssh -G` (dump_client_config in readconf.c).
    package var lines: [String] {
        SSHOption.all.flatMap { $0.lines(self) }
    }

    // MARK: - Values

    /// How to reach the server.
    package enum Route: Hashable, Sendable {
        case direct
        /// The command, with its tokens (ssh_config(5), TOKENS) not yet expanded.
        case proxyCommand(String)
        /// Through these servers, in order.
        case jump([Target])

        /// Parses ProxyJump: `[USER@]HOST[:PORT]` or ssh:// addresses and, except in a file, profiles, comma-separated.
        static func hops(_ setting: SSHSetting) throws(VTError) -> Route {
            guard setting.rest.lowercased() != "none" else { return .direct }
            var hops: [Target] = []
            for part in setting.rest.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                do throws(VTError) {
                    hops.append(
                        setting.place == nil ? try Target(parsing: part) : .adHoc(try Destination(parsing: part))
                    )
                } catch {
                    throw setting.place?.error("invalid jump host '\(part)'") ?? error
                }
            }
            return .jump(hops)
        }
    }

    /// When to request a terminal (ssh_config(5), RequestTTY).
    package enum TerminalRequest: String, Sendable {
        case no
        /// For a login shell, if standard input is a terminal.
        case auto
        /// If standard input is a terminal.
        case yes
        case force
    }

    /// What runs on the server (ssh_config(5), SessionType).
    package enum SessionType: String, Sendable {
        case none
        case subsystem
        /// A command or the login shell.
        case standard = "default"
    }

    /// The error for a host to which a configuration refuses to connect.
    package static func refused(_ reason: String) -> VTError {
        VTError(.config, "the configuration refuses the connection: \(reason)")
    }
}

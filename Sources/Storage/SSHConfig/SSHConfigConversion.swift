import Core
import System

/// Converts the lines that apply to a host into settings.
struct SSHConfigConversion {
    let home: String?
    let environment: Environment

    /// - Throws: `data.invalid` with file and line for a malformed value.
    func settings(of evaluation: SSHConfigEvaluation) throws(VTError) -> HostSettings {
        var tokens = evaluation.tokens(home: home, environment: environment)
        tokens.endpoint.host = evaluation.hostName.lowercased()
        tokens.alias = tokens.alias?.lowercased()
        var settings = HostSettings()
        settings.report.notes = evaluation.notes
        settings.report.warnings = evaluation.warnings
        for line in evaluation.settings {
            guard !line.words.isEmpty || line.name == "proxycommand" else {
                throw line.error("'\(line.spelling)' has no value")
            }
            var expanded = line
            switch SSHOption.named(line.name)?.name {
            case "proxyjump":
                guard let text = tokens.expand(tokensIn: line.text) else {
                    throw line.error("unknown token in '\(line.text)'")
                }
                expanded.text = text
            case "identityfile" where line.value.lowercased() != "none":
                settings.keyFiles = (settings.keyFiles ?? []) + [try path(line, line.value, tokens)]
            default: break
            }
            try settings.apply(expanded)
            if let omission = Self.omission(line) { settings.report.leftOut.append(omission) }
        }
        settings.hostName = evaluation.hostName.lowercased()
        settings.user = evaluation.value(of: "user")
        settings.port = evaluation.value(of: "port").flatMap(Destination.parsePort)
        settings.hostKeyAlias = evaluation.value(of: "hostkeyalias")
        settings.keyFiles = settings.keyFiles?.withoutRepetition
        settings.identities = nil
        if let line = evaluation["userknownhostsfile"] { try applyKnownHosts(line, tokens, to: &settings) }
        return settings
    }

    private func path(_ line: SSHSetting, _ name: String, _ tokens: HostTokens) throws(VTError) -> String {
        guard let path = tokens.expand(path: name) else {
            throw line.error("token or variable without a value in '\(name)'")
        }
        return path
    }

    /// What of a line a profile does not have.
    private static func omission(_ line: SSHSetting) -> String? {
        let option = SSHOption.named(line.name)
        switch (option?.name, line.words.first?.lowercased()) {
        case ("identityfile", "none"), ("userknownhostsfile", "none"), ("userknownhostsfile", "/dev/null"):
            return "\(line.spelling) \(line.words[0])"
        case ("stricthostkeychecking", "no"), ("stricthostkeychecking", "off"), ("stricthostkeychecking", "false"):
            return "\(line.spelling) \(line.value) (imported as accept-new)"
        case ("identityagent", "none"), ("identityagent", "ssh_auth_sock"):
            return nil
        default:
            return option?.traits.contains(.imported) == true ? nil : line.spelling
        }
    }

    /// Uses the first file that is not read by default; a profile can have only one.
    private func applyKnownHosts(
        _ line: SSHSetting,
        _ tokens: HostTokens,
        to settings: inout HostSettings
    ) throws(VTError) {
        guard let first = line.words.first?.lowercased(), !["none", "/dev/null"].contains(first) else { return }
        let usual = ["~", home].compactMap(\.self).flatMap { ["\($0)/.ssh/known_hosts", "\($0)/.ssh/known_hosts2"] }
        let files = line.words.filter { !usual.contains($0) }
        guard let first = files.first else { return }
        settings.knownHosts = try path(line, first, tokens)
        if files.count > 1 {
            settings.report.leftOut.append("\(line.spelling) \(files.dropFirst().joined(separator: " "))")
        }
    }
}

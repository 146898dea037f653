import Core
import POSIX

/// Evaluates a configuration for one host, keeping the lines that apply (readconf.c).
///
/// The first value of a keyword applies; only a few keywords accumulate.
struct SSHConfigEvaluation {
    /// The host name as typed by the user.
    let originalHost: String
    /// The name compared with `Host` lines: the typed one or, in a final pass, the value of `HostName`.
    private var host: String
    private let account: Account
    private let userOption: String?

    /// The name to connect to; a `HostName` first found in a final pass is ignored.
    private(set) var hostName: String
    /// The lines that apply, in file order; at most one for most keywords.
    private(set) var settings: [SSHConfigLine] = []
    private var known: Set<String> = []
    /// Whether a `Host` line that applies contains the literal host name.
    private(set) var isNamed = false
    /// `Match` lines that could not be evaluated.
    private(set) var notes: [String] = []
    /// The notes about settings that are essential for connecting correctly; `notes` contains them, too.
    private(set) var warnings: [String] = []
    private var wantsFinalPass = false
    private var isFinalPass = false

    /// Keywords for which every line applies.
    private static let accumulating: Set<String> = [
        "identityfile", "certificatefile", "localforward", "remoteforward", "dynamicforward", "sendenv",
    ]

    /// Keywords that determine which server is connected to, and how.
    private static let decisive: Set<String> = [
        "hostname", "user", "port", "proxyjump", "proxycommand", "identityfile",
    ]

    init(_ nodes: [SSHConfigNode], host: String, user: String?, account: Account) {
        originalHost = host
        self.host = host
        self.account = account
        userOption = user
        hostName = host
        walk(nodes, isActive: true)
        hostName = currentHostName
        if wantsFinalPass {
            isFinalPass = true
            self.host = hostName
            walk(nodes, isActive: true)
        }
    }

    /// The first line with this keyword that applies.
    subscript(keyword: String) -> SSHConfigLine? {
        settings.first { $0.keyword == keyword }
    }

    /// Evaluates lines in order; if `isActive` is false, as in a file included from a block that does not apply, none
    /// of them applies.
    private mutating func walk(_ nodes: [SSHConfigNode], isActive allowed: Bool) {
        var isActive = allowed
        for (index, node) in nodes.enumerated() {
            switch node {
            case .include(let files):
                for file in files { walk(file, isActive: isActive) }
            case .line(let line) where line.keyword == "host":
                isActive = allowed && hostMatches(line.arguments)
            case .line(let line) where line.keyword == "match":
                let matches = matches(line)
                isActive = allowed && matches ?? false
                if matches == nil, allowed { warn(about: line, before: nodes[(index + 1)...]) }
            case .line(let line):
                if isActive { take(line) }
            }
        }
    }

    private mutating func take(_ line: SSHConfigLine) {
        // To ssh, "none" is the same as a timeout that has not been set.
        if line.keyword == "connecttimeout", line.arguments.first == "none" { return }
        if Self.accumulating.contains(line.keyword) {
            // A final pass evaluates the same lines again.
            if !settings.contains(line) { settings.append(line) }
        } else if known.insert(line.keyword).inserted {
            settings.append(line)
        }
    }

    private mutating func hostMatches(_ patterns: [String]) -> Bool {
        guard Wildcard.matches(anyOf: patterns, host) else { return false }
        if patterns.contains(host) { isNamed = true }
        return true
    }

    // MARK: - Match

    /// Evaluates all criteria of a `Match` line; returns nil if the result depends on one that cannot be evaluated.
    private mutating func matches(_ line: SSHConfigLine) -> Bool? {
        var words = line.arguments[...]
        var result = true
        while let word = words.popFirst() {
            // "host=x" is equivalent to "host x".
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { words.insert(String(parts[1]), at: words.startIndex) }
            var attribute = parts.first?.lowercased() ?? ""
            let isNegated = attribute.hasPrefix("!")
            if isNegated { attribute.removeFirst() }
            let isMet: Bool
            switch attribute {
            case "all":
                isMet = true
            case "canonical":
                isMet = isFinalPass
            case "final":
                wantsFinalPass = true
                isMet = isFinalPass
            default:
                guard let value = words.popFirst(), let answer = answer(attribute, value) else {
                    let note = Self.note(line, attribute)
                    if !notes.contains(note) { notes.append(note) }
                    return result ? nil : false
                }
                isMet = answer
            }
            if isMet == isNegated { result = false }
        }
        return result
    }

    private func answer(_ attribute: String, _ value: String) -> Bool? {
        let lists = value.split(separator: ",").map(String.init)
        return switch attribute {
        case "host": Wildcard.matches(anyOf: lists.map { $0.lowercased() }, currentHostName.lowercased())
        case "originalhost": Wildcard.matches(anyOf: lists.map { $0.lowercased() }, originalHost.lowercased())
        case "user":
            Wildcard.matches(anyOf: lists, userOption ?? self["user"]?.arguments.first ?? account.name)
        case "localuser": Wildcard.matches(anyOf: lists, account.name)
        default: nil
        }
    }

    /// The current value of `HostName`, with its tokens `%h` and `%%` expanded; the host if there is no `HostName`.
    private var currentHostName: String {
        guard let value = self["hostname"]?.arguments.first else { return host }
        return SSHConfigTokens(["h": host]).expand(value) ?? value
    }

    /// Warns if the block of this line, which starts with `following`, has a decisive setting.
    private mutating func warn(about line: SSHConfigLine, before following: ArraySlice<SSHConfigNode>) {
        guard let note = notes.first(where: { $0.hasPrefix(Self.place(of: line)) }), !warnings.contains(note) else {
            return
        }
        for case .line(let line) in following {
            if ["host", "match"].contains(line.keyword) { return }
            if Self.decisive.contains(line.keyword) { return warnings.append(note) }
        }
    }

    private static func note(_ line: SSHConfigLine, _ attribute: String) -> String {
        "\(place(of: line)) 'Match \(attribute)' is not supported"
    }

    private static func place(of line: SSHConfigLine) -> String {
        "skipped the block at '\(line.file)' line \(line.number):"
    }
}

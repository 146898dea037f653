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
    private var wantsFinalPass = false
    private var isFinalPass = false

    /// Keywords for which every line applies.
    private static let accumulating: Set<String> = [
        "identityfile", "certificatefile", "localforward", "remoteforward", "dynamicforward", "sendenv",
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
        for node in nodes {
            switch node {
            case .include(let files):
                for file in files { walk(file, isActive: isActive) }
            case .line(let line) where line.keyword == "host":
                isActive = allowed && hostMatches(line.arguments)
            case .line(let line) where line.keyword == "match":
                let matches = matches(line)
                isActive = allowed && matches
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

    /// Evaluates all criteria of a `Match` line; a line with a criterion that cannot be evaluated does not match.
    private mutating func matches(_ line: SSHConfigLine) -> Bool {
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
                    note(line, attribute)
                    return false
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

    private mutating func note(_ line: SSHConfigLine, _ attribute: String) {
        let note =
            "skipped the block at '\(line.file)' line \(line.number): 'Match \(attribute)' is not supported"
        if !notes.contains(note) { notes.append(note) }
    }
}

import Core
import System

/// Evaluates a configuration for one host, keeping the lines that apply (readconf.c).
///
/// The first value of a keyword applies; only a few keywords accumulate.
struct SSHConfigEvaluation {
    /// The host name as typed by the user.
    let originalHost: String
    /// The name compared with `Host` lines: the typed one or, in a final pass, the value of `HostName`.
    private var host: String
    private let account: Account
    /// The options that override those of the configuration, with their names in lower case.
    let given: [String: String]
    /// Runs the commands of `Match exec`; nil means that such a line cannot be evaluated.
    let program: SSHConfigProgram?

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

    /// Keywords that restrict what is trusted or done.
    private static let restricting: Set<String> = [
        "batchmode", "checkhostip", "ciphers", "clearallforwardings", "exitonforwardfailure", "globalknownhostsfile",
        "hostkeyalgorithms", "hostkeyalias", "identitiesonly", "identityagent", "kbdinteractiveauthentication",
        "kexalgorithms", "knownhostscommand", "macs", "passwordauthentication", "permitlocalcommand",
        "preferredauthentications", "pubkeyacceptedalgorithms", "pubkeyauthentication", "refuseconnection",
        "requiredrsasize", "revokedhostkeys", "sessiontype", "stricthostkeychecking", "userknownhostsfile",
    ]

    /// - Throws: `data.invalid` for a command that cannot be expanded, or a block that cannot be evaluated but could
    ///   restrict what is trusted or done; errors from running a command.
    init(
        _ nodes: [SSHConfigNode],
        host: String,
        given: [String: String] = [:],
        account: Account,
        program: SSHConfigProgram? = nil
    ) throws(VTError) {
        originalHost = host
        self.host = host
        self.account = account
        self.program = program
        self.given = given
        hostName = host
        try walk(nodes, isActive: true)
        hostName = currentHostName
        if canonicalization != .no { hostName = try canonicalName(of: hostName.lowercased()) }
        if wantsFinalPass || canonicalization != .no {
            isFinalPass = true
            self.host = hostName.lowercased()
            try walk(nodes, isActive: true)
        }
    }

    /// The first line with this keyword that applies.
    subscript(keyword: String) -> SSHConfigLine? {
        settings.first { $0.keyword == keyword }
    }

    /// The value of an option that takes one word, given or from the configuration.
    func value(of keyword: String) -> String? {
        given[keyword] ?? self[keyword]?.arguments.first
    }

    private var user: String { value(of: "user") ?? account.name }

    /// Evaluates lines in order; if `isActive` is false, as in a file included from a block that does not apply, none
    /// of them applies.
    private mutating func walk(_ nodes: [SSHConfigNode], isActive allowed: Bool) throws(VTError) {
        var isActive = allowed
        for (index, node) in nodes.enumerated() {
            switch node {
            case .include(let files):
                for file in files { try walk(file, isActive: isActive) }
            case .line(let line) where line.keyword == "host":
                isActive = allowed && hostMatches(line.arguments)
            case .line(let line) where line.keyword == "match":
                let matches = try matches(line, isActive: allowed)
                isActive = allowed && matches ?? false
                if matches == nil, allowed { try skip(line, before: nodes[(index + 1)...]) }
            case .line(let line):
                if isActive { take(line) }
            }
        }
    }

    private mutating func take(_ line: SSHConfigLine) {
        // To ssh, "none" is the same as a timeout that has not been set.
        if line.keyword == "connecttimeout", line.arguments.first == "none" { return }
        // Names have been canonicalized when a final pass starts.
        if isFinalPass, line.keyword.hasPrefix("canonical") { return }
        if Self.accumulating.contains(line.keyword) {
            // A final pass evaluates the same lines again.
            if !settings.contains(line) { settings.append(line) }
        } else if given[line.keyword] == nil, known.insert(line.keyword).inserted {
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
    private mutating func matches(_ line: SSHConfigLine, isActive: Bool) throws(VTError) -> Bool? {
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
            case "exec" where program != nil && !words.isEmpty:
                let command = words.removeFirst()
                // As in ssh, a command runs only if its result matters.
                guard result, isActive else { continue }
                isMet = try succeeds(command, line)
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
        case "user": Wildcard.matches(anyOf: lists, user)
        case "localuser": Wildcard.matches(anyOf: lists, account.name)
        case "tagged": Wildcard.matches(anyOf: lists, self.value(of: "tag") ?? "")
        default: nil
        }
    }

    /// Runs the command of `Match exec`.
    private func succeeds(_ command: String, _ line: SSHConfigLine) throws(VTError) -> Bool {
        guard let program else { return false }
        let port = value(of: "port") ?? "\(Endpoint.standardPort)"
        let machine = LinuxProcess.hostName
        let tokens = SSHConfigTokens([
            "C": SSHConfigTokens.connectionHash(host: currentHostName, port: port, user: user), "d": account.home,
            "h": currentHostName, "i": String(LinuxProcess.userID),
            "k": value(of: "hostkeyalias") ?? originalHost, "L": String(machine.prefix { $0 != "." }),
            "l": machine, "n": originalHost, "p": port, "r": user, "u": account.name,
        ])
        guard let text = tokens.expand(command) else { throw line.error("unknown token in '\(command)'") }
        let isUsed = { (token: String) in command.contains(token) }
        for (token, value) in [("%h", currentHostName), ("%r", user)] where isUsed(token) {
            guard ShellSafety.isSafe(value) else {
                throw line.error("cannot use '\(value)' in a command: it is unsafe in a shell")
            }
        }
        return try program.succeeds(text)
    }

    /// The current value of `HostName`, with its tokens `%h` and `%%` expanded; the host if there is no `HostName`, or in a
    /// final pass, which no longer changes it.
    private var currentHostName: String {
        guard !isFinalPass, let value = value(of: "hostname") else { return host }
        return SSHConfigTokens(["h": host]).expand(value) ?? value
    }

    /// Skips the block of a line that cannot be evaluated, which starts with `following`; warns if it has a decisive
    /// setting.
    ///
    /// - Throws: `data.invalid` if the block could restrict what is trusted or done, and the result is used to connect.
    private mutating func skip(
        _ line: SSHConfigLine,
        before following: ArraySlice<SSHConfigNode>
    ) throws(VTError) {
        let keywords = Self.keywords(ofBlock: following)
        if program != nil, let keyword = keywords.first(where: Self.restricting.contains) {
            throw line.error("vt cannot evaluate this 'Match', which might apply '\(keyword)'")
        }
        guard let note = notes.first(where: { $0.hasPrefix(Self.place(of: line)) }), !warnings.contains(note) else {
            return
        }
        if keywords.contains(where: Self.decisive.contains) { warnings.append(note) }
    }

    /// The keywords of the lines up to the next block, including those of included files.
    private static func keywords(ofBlock nodes: some Sequence<SSHConfigNode>) -> [String] {
        var keywords: [String] = []
        for node in nodes {
            switch node {
            case .include(let files): keywords += files.flatMap { Self.keywords(ofBlock: $0) }
            case .line(let line):
                if ["host", "match"].contains(line.keyword) { return keywords }
                keywords.append(line.keyword)
            }
        }
        return keywords
    }

    private static func note(_ line: SSHConfigLine, _ attribute: String) -> String {
        "\(place(of: line)) 'Match \(attribute)' is not supported"
    }

    private static func place(of line: SSHConfigLine) -> String {
        "skipped the block at '\(line.file)' line \(line.number):"
    }
}

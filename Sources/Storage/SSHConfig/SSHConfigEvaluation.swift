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
    private(set) var settings: [SSHSetting] = []
    /// Whether a `Host` line that applies contains the literal host name.
    private(set) var isNamed = false
    /// `Match` lines that could not be evaluated.
    private(set) var notes: [String] = []
    /// The notes about settings that are essential for connecting correctly; `notes` contains them, too.
    private(set) var warnings: [String] = []
    private var wantsFinalPass = false
    private var isFinalPass = false

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
    subscript(keyword: String) -> SSHSetting? {
        settings.first { Self.keyword(of: $0) == keyword }
    }

    /// The value of an option that takes one word, given or from the configuration.
    func value(of keyword: String) -> String? {
        given[keyword] ?? self[keyword]?.words.first
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
            case .line(let line) where line.name == "host":
                isActive = allowed && hostMatches(line.words)
            case .line(let line) where line.name == "match":
                let matches = try matches(line, isActive: allowed)
                isActive = allowed && matches ?? false
                if matches == nil, allowed { try skip(line, before: nodes[(index + 1)...]) }
            case .line(let line):
                if isActive { take(line) }
            }
        }
    }

    private mutating func take(_ line: SSHSetting) {
        // To ssh, "none" is the same as a timeout that has not been set.
        if line.name == "connecttimeout", line.words.first == "none" { return }
        // Names have been canonicalized when a final pass starts.
        if isFinalPass, line.name.hasPrefix("canonical") { return }
        let keyword = Self.keyword(of: line)
        let line = line.withNumericPorts
        if SSHOption.named(keyword)?.traits.contains(.cumulative) == true {
            // A final pass evaluates the same lines again.
            if !settings.contains(line) { settings.append(line) }
        } else if given[keyword] == nil, self[keyword] == nil {
            settings.append(line)
        }
    }

    /// The present name of a line's option.
    private static func keyword(of line: SSHSetting) -> String {
        SSHOption.named(line.name)?.name ?? line.name
    }

    private mutating func hostMatches(_ patterns: [String]) -> Bool {
        guard Wildcard.matches(anyOf: patterns, host) else { return false }
        if patterns.contains(host) { isNamed = true }
        return true
    }

    // MARK: - Match

    /// Evaluates all criteria of a `Match` line; returns nil if the result depends on one that cannot be evaluated.
    private mutating func matches(_ line: SSHSetting, isActive: Bool) throws(VTError) -> Bool? {
        var words = line.words[...]
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

    /// The tokens for the host according to the lines that have been evaluated.
    func tokens(home: String?, environment: Environment = Environment([:])) -> HostTokens {
        HostTokens(
            endpoint: Endpoint(
                host: currentHostName,
                port: value(of: "port").flatMap(Destination.parsePort) ?? Endpoint.standardPort
            ),
            user: user,
            name: originalHost,
            alias: value(of: "hostkeyalias"),
            account: account,
            home: home,
            environment: environment
        )
    }

    /// Runs the command of `Match exec`.
    private func succeeds(_ command: String, _ line: SSHSetting) throws(VTError) -> Bool {
        guard let program else { return false }
        guard let text = tokens(home: account.home).expand(tokensIn: command) else {
            throw line.error("unknown token in '\(command)'")
        }
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
        _ line: SSHSetting,
        before following: ArraySlice<SSHConfigNode>
    ) throws(VTError) {
        let keywords = Self.keywords(ofBlock: following)
        func contains(_ trait: SSHOption.Trait) -> (String) -> Bool {
            { SSHOption.named($0)?.traits.contains(trait) == true }
        }
        if program != nil, let keyword = keywords.first(where: contains(.restricting)) {
            throw line.error("vt cannot evaluate this 'Match', which might apply '\(keyword)'")
        }
        guard let note = notes.first(where: { $0.hasPrefix(Self.text(of: line)) }), !warnings.contains(note) else {
            return
        }
        if keywords.contains(where: contains(.decisive)) { warnings.append(note) }
    }

    /// The keywords of the lines up to the next block, including those of included files.
    private static func keywords(ofBlock nodes: some Sequence<SSHConfigNode>) -> [String] {
        var keywords: [String] = []
        for node in nodes {
            switch node {
            case .include(let files): keywords += files.flatMap { Self.keywords(ofBlock: $0) }
            case .line(let line):
                if ["host", "match"].contains(line.name) { return keywords }
                keywords.append(line.name)
            }
        }
        return keywords
    }

    private static func note(_ line: SSHSetting, _ attribute: String) -> String {
        "\(text(of: line)) 'Match \(attribute)' is not supported"
    }

    private static func text(of line: SSHSetting) -> String {
        "skipped the block at '\(line.place?.file ?? "")' line \(line.place?.line ?? 0):"
    }
}

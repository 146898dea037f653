import Arguments
import Core
import Services
import System

/// The operands and options that select targets, which are the same in all commands that act on several targets.
struct TargetOptions: Sendable {
    /// The sentence about target words in the description of each command that takes them.
    static let explanation = "A target is a server, 'local', a pattern, a range or @FILE; see 'vt help targets'."
    private static let heading = "Selecting targets"

    static let targetsFile = Option(
        "targets-file",
        .file,
        summary: "select the targets listed in this file, or on standard input if it is -"
    )
    static let exclude = Option(
        "exclude",
        ValueKind("WORD", completion: .target, parse: TargetWord.list),
        summary: "omit targets",
        details:
            "WORD is a target, a pattern, a profile tag or @FILE; separate several with commas. It is an error if no "
            + "target, profile or tag matches WORD, or a name or pattern in FILE."
    ).repeatable()
    static let limit = Option(
        "limit",
        ValueKind("N", parse: TargetLimit.init(parsing:)),
        summary: "use only the first N targets, or, with N%, the first N percent"
    )
    /// Options for narrowing a selection, and for reading it from a file.
    static let options: [any CommandOption] = .under(heading, topic: "targets", narrowing)
    private static let narrowing: [any CommandOption] = [targetsFile, exclude, limit]

    static let tag = Option(
        "tag",
        .text("TAG", completion: .tag),
        excludes: [all, targetsFile],
        summary: "select all profiles with this tag; if repeated, with all of the tags"
    ).repeatable()
    static let all = Option.flag("all", excludes: [targetsFile], summary: "select all profiles")
    /// Options that select profiles in place of operands.
    static let profileOptions: [any CommandOption] = .under(heading, topic: "targets", [tag, all])

    /// All options, for the page that explains them.
    static let explained: [any CommandOption] = [tag, all] + narrowing

    /// The options that replace the operand for targets.
    static let replacements: [any CommandOption] = [tag, all, targetsFile]

    let selection: TargetSelection

    /// Returns the selection of a command with `profileOptions`, whose targets are the words if no such option is given.
    static func ofProfiles(_ call: Call, words texts: [String]) throws(VTError) -> TargetOptions {
        if call[all] { return TargetOptions(call, scope: .allProfiles) }
        let tags = call[tag]
        if !tags.isEmpty { return TargetOptions(call, scope: .tagged(tags)) }
        return TargetOptions(call, scope: .words(try words(texts)))
    }

    /// The option that selects this machine and the servers of all profiles.
    static func allProfiles(_ verb: String) -> Option<Bool> {
        Option.flag(
            "all-profiles",
            excludes: [targetsFile],
            summary: "\(verb) sessions on this machine and on the servers of all profiles"
        )
    }

    /// Returns the selection of a command with `--all-profiles`; this machine if the words are empty.
    ///
    /// - Throws: `usage` when words are combined with `--all-profiles`, or are malformed.
    static func ofMachines(
        _ call: Call,
        words texts: [String],
        all: Bool
    ) throws(VTError) -> TargetOptions {
        guard all else {
            let isLocal = texts.isEmpty && !call.contains(targetsFile)
            return TargetOptions(call, scope: .words(isLocal ? [.target(.local)] : try words(texts)))
        }
        guard texts.isEmpty else { throw VTError(.usage, "'--all-profiles' cannot be used with profile names") }
        return TargetOptions(call, scope: .allMachines)
    }

    /// Words in `scope` are preceded by the file given with `--targets-file`.
    init(_ call: Call, scope: TargetSelection.Scope) {
        var scope = scope
        if let file = call[Self.targetsFile], case .words(let words) = scope {
            scope = .words([.file(file)] + words)
        }
        selection = TargetSelection(
            scope,
            exclusions: call[Self.exclude].flatMap(\.self),
            limit: call[Self.limit]
        )
    }

    /// Parses words, each of which can be a list separated by commas.
    static func words(_ texts: [String]) throws(VTError) -> [TargetWord] {
        var words: [TargetWord] = []
        for text in texts { words += try TargetWord.list(text) }
        return words
    }

    /// Whether targets are read from standard input, which then cannot provide input for programs.
    var readsStandardInput: Bool {
        selection.files.contains("-")
    }

    /// Reads the files that list targets, and returns the targets without duplicates.
    ///
    /// - Throws: Errors of `TargetSelection.targets`, of reading the files, and of the profile store.
    func targets(in context: Context) async throws(VTError) -> [Target] {
        var lists: [String: [TargetWord]] = [:]
        for path in selection.files {
            let name = path == "-" ? context.console.input.name : "'\(path)'"
            lists[path] = try TargetList.parse(try await Self.read(path, in: context), name: name)
        }
        let targets = try selection.targets(lists: lists) { () throws(VTError) in
            try context.world.profiles().load()
        }
        if targets == [.local] { try context.checkConnection() }
        return targets
    }

    /// Returns the targets' machines as session commands name them: a profile or server, or nil for this machine.
    func machines(in context: Context) async throws(VTError) -> [String?] {
        try await targets(in: context).map { $0 == .local ? nil : $0.text }
    }

    /// The maximum size of a list on standard input; a million long names fit.
    private static let listLimitBytes = 64 << 20

    private static func read(_ path: String, in context: Context) async throws(VTError) -> [UInt8] {
        guard path == "-" else {
            guard let bytes = try FileContents.read(path) else {
                throw VTError(.notFound, "cannot open '\(path)': no such file or directory")
            }
            return bytes
        }
        return try await context.console.input.source().contents(limit: listLimitBytes)
    }
}

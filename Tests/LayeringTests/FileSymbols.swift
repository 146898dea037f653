/// What a file declares, and the names it uses.
struct FileSymbols {
    /// A type, function, variable or case outside function bodies.
    struct Declaration: Hashable {
        /// `struct`, `func` and the like; empty for a label.
        var keyword: String
        var name: String
        /// The type, or the extended type, of which this is a member.
        var owner: String?
        var isInExtension = false
        /// Only for other declarations in the same file.
        var isPrivate = false
    }

    /// Relative to the root.
    let path: String
    let lineCount: Int
    private(set) var declarations: Set<Declaration> = []
    /// Names that follow a period.
    private(set) var memberUses: Set<String> = []
    /// Other names, except those of declarations and arguments.
    private(set) var plainUses: Set<String> = []

    /// The directory below `Sources`, of which the first part is the module.
    var room: String {
        path.split(separator: "/").dropFirst().dropLast().joined(separator: "/")
    }

    var module: String {
        String(path.split(separator: "/")[1])
    }

    /// The names of the types that are not members of others.
    var topLevelTypes: [String] {
        declarations.filter { $0.owner == nil && Self.typeKeywords.contains($0.keyword) }.map(\.name)
    }

    private enum Scope {
        case type(String, isExtension: Bool, isPrivate: Bool)
        case body
    }

    private var scopes: [Scope] = []
    private var next: Scope?

    init(_ file: SourceFile) {
        path = file.path
        // The last line ends with a line feed, after which there is an empty one.
        lineCount = file.lines.count - (file.lines.last == "" ? 1 : 0)
        let tokens = SwiftLexer.tokens(file.lines)
        for (index, token) in tokens.enumerated() {
            switch token {
            case "{":
                scopes.append(next ?? .body)
                next = nil
            case "}": _ = scopes.popLast()
            case "struct", "class", "enum", "protocol", "actor", "extension", "typealias", "func", "var", "let", "case":
                declare(tokens, at: index)
            case ">": declareLabels(tokens, after: index)
            default: use(tokens, at: index)
            }
        }
    }

    private mutating func use(_ tokens: [String], at index: Int) {
        guard Self.isName(tokens[index]) else { return }
        let before = index > 0 ? tokens[index - 1] : ""
        if before == "." {
            memberUses.insert(tokens[index])
        } else if !Self.keywords.contains(before) {
            // A type before a colon is the key of a dictionary type, or constrained.
            let isLabel =
                index + 1 < tokens.count && tokens[index + 1] == ":" && tokens[index].first?.isUppercase == false
            if !isLabel { plainUses.insert(tokens[index]) }
        }
    }

    private mutating func declare(_ tokens: [String], at index: Int) {
        let keyword = tokens[index]
        guard index + 1 < tokens.count, index == 0 || tokens[index - 1] != "." else { return }
        let modifiers = Self.modifiers(tokens, before: index)
        let isPrivate = modifiers.contains("private") || modifiers.contains("fileprivate")
        let name = tokens[index + 1]
        // `class func` has a modifier, and `Sendable, class` no name.
        guard !Self.keywords.contains(name), Self.isName(name) else { return }
        if keyword == "extension" {
            next = .type(Self.lastComponent(tokens, from: index + 1), isExtension: true, isPrivate: isPrivate)
            plainUses.insert(name)
            return
        }
        if Self.typeKeywords.contains(keyword) { next = .type(name, isExtension: false, isPrivate: isPrivate) }
        var declaration = Declaration(keyword: keyword, name: name, isPrivate: isPrivate)
        switch scopes.last {
        case .body: return
        case .type(let owner, let isExtension, let isPrivateType):
            declaration.owner = owner
            declaration.isInExtension = isExtension
            declaration.isPrivate = isPrivate || isPrivateType
        case nil: break
        }
        declarations.insert(declaration)
    }

    /// The labels of a tuple that a function returns are members, too.
    private mutating func declareLabels(_ tokens: [String], after index: Int) {
        guard index > 0, tokens[index - 1] == "-", index + 1 < tokens.count, tokens[index + 1] == "(" else { return }
        for (label, colon) in zip(tokens.dropFirst(index + 2), tokens.dropFirst(index + 3)) {
            if label == ")" { return }
            if colon == ":" { declarations.insert(Declaration(keyword: "", name: label, owner: "", isPrivate: true)) }
        }
    }

    private static func modifiers(_ tokens: [String], before index: Int) -> Set<String> {
        var found: Set<String> = []
        var index = index - 1
        while index >= 0 {
            if tokens[index] == ")", index >= 3, tokens[index - 1] == "set" {
                index -= 4  // private(set): readable elsewhere
            } else if modifierWords.contains(tokens[index]) {
                found.insert(tokens[index])
                index -= 1
            } else {
                break
            }
        }
        return found
    }

    private static func isName(_ token: String) -> Bool {
        token.first.map { $0.isLetter || $0 == "_" } ?? false
    }

    private static func lastComponent(_ tokens: [String], from index: Int) -> String {
        var index = index
        while index + 2 < tokens.count, tokens[index + 1] == "." { index += 2 }
        return tokens[index]
    }

    static let typeKeywords: Set = ["struct", "class", "enum", "protocol", "actor"]
    private static let keywords = typeKeywords.union(["typealias", "func", "var", "let", "case", "init"])
    private static let modifierWords: Set = [
        "package", "public", "internal", "private", "fileprivate", "final", "static", "class", "mutating",
        "nonmutating", "override", "lazy", "weak", "indirect", "nonisolated", "borrowing", "consuming", "prefix",
        "postfix",
    ]
}

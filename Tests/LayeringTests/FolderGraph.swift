/// The uses of declarations across the rooms of a module.
///
/// A room is a directory without its subdirectories: `Terminal/Emulator` and `Terminal/Emulator/Lines` are two rooms.
/// Types are found by name, and so are members of extensions, if their name is declared only once.
struct FolderGraph {
    /// Members of types of the standard library, which extensions here declare with other parameters or for other types.
    private static let standardMembers: Set = ["description", "joined", "rawValue"]

    typealias Edges = [String: [String: Set<String>]]

    /// The rooms used by each room, with the uses: `file: name`.
    private(set) var edges: Edges = [:]

    /// Finds the uses in `files`; `lower` are the files of the modules that these may import.
    init(_ files: [FileSymbols], lower: [FileSymbols] = []) {
        var types: [String: Set<String>] = [:]
        var members: [String: Set<String>] = [:]
        var homes: [String: Set<String>] = [:]
        for file in files {
            for declaration in file.declarations where !declaration.isPrivate {
                if declaration.owner == nil { types[declaration.name, default: []].insert(file.room) }
                if declaration.isInExtension {
                    members[declaration.name, default: []].insert(declaration.owner ?? "")
                }
            }
        }
        for file in files + lower {
            for declaration in file.declarations { homes[declaration.name, default: []].insert(file.room) }
        }
        for file in files {
            let own = Set(file.declarations.lazy.filter { $0.owner == nil }.map(\.name))
            for name in file.plainUses.subtracting(own) {
                if let rooms = types[name], rooms.count == 1, let room = rooms.first { add(name, of: room, in: file) }
            }
            let owners = Set(file.declarations.compactMap(\.owner))
            for (name, types) in members where !Self.standardMembers.contains(name) {
                guard let rooms = homes[name], rooms.count == 1, let room = rooms.first else { continue }
                let isImplicit = file.plainUses.contains(name) && !types.isDisjoint(with: owners)
                if isImplicit || file.memberUses.contains(name) { add(name, of: room, in: file) }
            }
        }
    }

    private mutating func add(_ name: String, of room: String, in file: FileSymbols) {
        if room != file.room { edges[file.room, default: [:]][room, default: []].insert("\(file.path): \(name)") }
    }

    /// The groups of rooms that use each other, with these uses.
    ///
    /// At each level, directories with all of their subdirectories must not use each other, either.
    var circles: [String] {
        let depth = edges.keys.map { $0.split(separator: "/").count }.max() ?? 0
        var found: [String] = []
        for level in 0...depth {
            for circle in Self.circles(in: collapsed(to: level)) where !found.contains(circle) { found.append(circle) }
        }
        return found
    }

    /// The edges between the first `level` parts of the rooms' names.
    private func collapsed(to level: Int) -> Edges {
        func prefix(_ room: String) -> String { room.split(separator: "/").prefix(level).joined(separator: "/") }
        var collapsed: Edges = [:]
        for (room, uses) in edges {
            for (other, names) in uses where prefix(room) != prefix(other) {
                collapsed[prefix(room), default: [:]][prefix(other), default: []].formUnion(names)
            }
        }
        return collapsed
    }

    private static func circles(in edges: Edges) -> [String] {
        let reached = Dictionary(uniqueKeysWithValues: edges.keys.map { ($0, reachable(from: $0, in: edges)) })
        var circles: [String] = []
        var seen: Set<String> = []
        for room in edges.keys.sorted() where !seen.contains(room) && reached[room]?.contains(room) == true {
            let circle = reached[room, default: []].filter { reached[$0]?.contains(room) == true }
            seen.formUnion(circle)
            circles.append(circle.sorted().joined(separator: " ↔ "))
            for room in circle.sorted() {
                let used = edges[room, default: [:]].filter { circle.contains($0.key) }
                for (other, uses) in used.sorted(by: { $0.key < $1.key }) {
                    circles[circles.count - 1] += "\n  \(room) → \(other): \(uses.sorted().joined(separator: ", "))"
                }
            }
        }
        return circles
    }

    /// The rooms that a room uses, directly or not; itself only if it is in a circle.
    private static func reachable(from start: String, in edges: Edges) -> Set<String> {
        var seen: Set<String> = []
        var rest = [start]
        while let room = rest.popLast() {
            for next in edges[room, default: [:]].keys where seen.insert(next).inserted { rest.append(next) }
        }
        return seen
    }
}

import Core
import Foundation
import System
import TestSupport

/// Makes random files and changes in the tree of a lab.
struct RandomTree {
    let lab: TreeLab
    var random: SeededGenerator
    private var count = 0

    private static let directories: [ByteString] = [
        "", "d0", "d1", "d1/deep", "d1/deep/er", "d2", "d2/new\nline", ByteString([0x64, 0x32, 0x2f, 0xff, 0xfe]),
        "nested", "nested/in",
    ]
    private static let names: [ByteString] = [
        "plain", "Case", "case", "new\nline", "tab\t", "quote\"", "back\\slash", " space ", "-dash", "ü", ":colon",
        "*star",
        "text.crlf", "some.id", "some.filt", ByteString([0xff]), ByteString([0xc3, 0x28]), "[set]", "!not", "#hash",
        "git~1",
    ]
    private static let targets: [ByteString] = ["nowhere", "plain", "/etc", "d1", ByteString([0xfe])]
    private static let fileModes: [mode_t] = [
        0o644, 0o755, 0o600, 0o444, 0o640, 0o4755, 0o2755, 0o1644, 0o777, 0o400, 0o700,
    ]
    private static let directoryModes: [mode_t] = [0o755, 0o700, 0o555, 0o750, 0o1777, 0o2755, 0o500]

    init(_ lab: TreeLab, seed: Int) {
        self.lab = lab
        random = SeededGenerator(spreading: seed)
    }

    /// Fills the tree.
    mutating func fill() async throws {
        for _ in 0..<30 { try addFile() }
        for _ in 0..<3 { try addDirectory() }
        for name in ["a.ign", "ignored/deep/b", "d0/c.ign", "x.info"] {
            try lab.write("ignored \(random.next(1000))", to: name)
        }
        if random.next(2) == 0 {
            try await lab.git("init", "-q", "nested")
            if random.next(2) == 0 { try await commitNested() }
        } else {
            try lab.write("gitdir: ../.git\n", to: "nested/.git")
        }
        try addFile(in: "nested")
        for _ in 0..<6 { try changeMode() }
    }

    /// Makes a random number of changes.
    mutating func change() throws {
        for _ in 0..<(1 + random.next(20)) {
            switch random.next(8) {
            case 0, 1: try addFile()
            case 2: try addDirectory()
            case 3: try changeMode()
            case 4: try removeAny()
            case 5: try swapKinds()
            case 6: try renameCase()
            default: try modifyAny()
            }
        }
        try lab.write("changed \(random.next(1000))", to: "a.ign")
    }

    // MARK: -

    private func commitNested() async throws {
        let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        try await lab.git(["-C", "nested"] + author + ["commit", "-q", "--allow-empty", "-m", "x"])
    }

    private mutating func any<Element>(_ array: [Element]) -> Element { array[random.next(array.count)] }

    private mutating func bytes() -> [UInt8] {
        count += 1
        switch random.next(5) {
        case 0: return []
        case 1: return Array("line \(count)\r\nother\r\n$Id$\r\n".utf8)
        case 2: return Array("line \(count)\nother $Id: x $\n".utf8)
        case 3: return (0..<(random.next(3000))).map { _ in UInt8(truncatingIfNeeded: random.next(256)) }
        default: return Array("\(count)".utf8)
        }
    }

    private mutating func addFile(in directory: ByteString? = nil) throws {
        let directory = directory ?? any(Self.directories)
        guard try makeDirectories(directory) else { return }
        let path = lab.path(directory.appending(any(Self.names)))
        try remove(path)
        if random.next(5) == 0 {
            try RawFile.makeLink(path, to: any(Self.targets))
        } else {
            try write(bytes(), to: path, any(Self.fileModes))
        }
    }

    private mutating func addDirectory() throws {
        let directory = any(Self.directories)
        guard try makeDirectories(directory) else { return }
        let path = lab.path(directory.appending(ByteString("empty\(random.next(3))")))
        if try RawFile.status(path) == nil { try RawFile.makeDirectory(path, mode: 0o700) }
    }

    private mutating func changeMode() throws {
        guard let (path, kind) = try anyFile() else { return }
        switch kind {
        case .file: try RawFile.setMode(path, any(Self.fileModes))
        case .directory: try RawFile.setMode(path, any(Self.directoryModes))
        case .link, .other: break
        }
    }

    private mutating func removeAny() throws {
        if let (path, _) = try anyFile() { try remove(path) }
    }

    private mutating func modifyAny() throws {
        guard let (path, kind) = try anyFile(), kind == .file, let status = try RawFile.status(path) else { return }
        try remove(path)
        try write(bytes(), to: path, status.st_mode & 0o7777)
    }

    /// Turns a file into a directory, or a directory into a file.
    private mutating func swapKinds() throws {
        guard let (path, kind) = try anyFile(), path != lab.path("d0") else { return }
        try remove(path)
        if kind == .directory { return try write(bytes(), to: path, 0o644) }
        try RawFile.makeDirectory(path, mode: 0o755)
        if random.next(3) > 0 { try write(bytes(), to: path.appending("inner"), 0o644) }
    }

    private mutating func renameCase() throws {
        for (old, new) in [("Case", "case"), ("case", "Case")] {
            let (old, new) = (lab.path(ByteString(old)), lab.path(ByteString(new)))
            guard try RawFile.status(old) != nil, try RawFile.status(new) == nil else { continue }
            return try RawFile.rename(old, to: new)
        }
    }

    /// A file that is neither ignored nor in a `.git`.
    private mutating func anyFile() throws -> (ByteString, FileAttributes.Kind)? {
        let special: Set<ByteString> = [".gitignore", ".gitattributes", "nested"]
        let paths = try lab.image().keys.filter { !special.contains($0) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        guard !paths.isEmpty else { return nil }
        let path = lab.path(any(paths))
        return try RawFile.status(path).map { (path, FileAttributes.Kind(mode: $0.st_mode)) }
    }

    /// Returns false if a file is in the way.
    private func makeDirectories(_ directory: ByteString) throws -> Bool {
        var path = ByteString(lab.tree)
        for name in directory.bytes.split(separator: UInt8(ascii: "/")) {
            path = path.appending(ByteString(name))
            if let status = try RawFile.status(path) {
                guard FileAttributes.Kind(mode: status.st_mode) == .directory else { return false }
            } else {
                try RawFile.makeDirectory(path, mode: 0o755)
            }
        }
        return true
    }

    private func remove(_ path: ByteString) throws {
        guard let status = try RawFile.status(path) else { return }
        guard FileAttributes.Kind(mode: status.st_mode) == .directory else { return try RawFile.remove(path) }
        for (name, _) in try DirectoryListing.entries(in: path) { try remove(path.appending(name)) }
        try RawFile.removeDirectory(path)
    }

    private func write(_ bytes: [UInt8], to path: ByteString, _ mode: mode_t) throws {
        let file = try RawFile.create(path, mode: mode)
        guard BlockingIO.write(file.number, bytes) == 0 else { throw FixtureError("write") }
        // Writing clears set-user-ID.
        try RawFile.setMode(path, mode)
    }
}

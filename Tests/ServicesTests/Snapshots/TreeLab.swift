import Core
import CoreTestSupport
import Foundation
import Runtime
import Services
import System
import TestSupport

/// A directory tree in a git repository whose hooks, filters and other programs leave a trace, and its snapshots.
struct TreeLab: Sendable {
    let scratch: ScratchDirectory
    let tree: String
    let notes = RecordedNotes()
    let service: SnapshotService

    /// Created by any program of the user that git runs.
    var trace: String { scratch.path("trace") }
    var origin: SnapshotService.Origin { SnapshotService.Origin(session: "000000000001", directory: tree) }

    init(isRepository: Bool = true, environment: [String: String] = [:]) async throws {
        scratch = try ScratchDirectory()
        tree = try scratch.makeDirectory("home/tree")
        let variables = ["PATH": "/usr/bin:/bin", "HOME": scratch.path("home")].merging(environment) { $1 }
        let machine = LocalMachine(
            shell: "/bin/sh",
            environment: Environment(variables).words,
            poller: try DescriptorPoller()
        )
        let home = Environment(["VT_HOME": scratch.path, "HOME": scratch.path])
        var world = World(clock: ContinuousClock(), environment: Environment(variables), diagnostics: notes)
        world.directories = { () throws(VTError) in try StateDirectories(home) }
        world.localMachine = { machine }
        service = try SnapshotService(world)
        if isRepository { try await makeRepository() }
    }

    private func makeRepository() async throws {
        let program = try scratch.write(
            "#!/bin/sh\necho \"$0 $*\" >>'\(scratch.path("trace"))'; cat\n",
            to: "program",
            mode: 0o755
        )
        try await git("init", "-q")
        for (name, value) in [
            ("core.fsmonitor", program), ("filter.mark.clean", program), ("filter.mark.smudge", program),
            ("core.autocrlf", "input"), ("diff.mark.textconv", program), ("diff.external", program),
            ("user.name", "a"), ("user.email", "a@example.com"), ("core.untrackedCache", "true"),
        ] {
            try await git("config", name, value)
        }
        for hook in ["pre-commit", "post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(tree)/.git/hooks/\(hook)",
                withDestinationPath: program
            )
        }
        try scratch.write("*.info\n", to: "home/tree/.git/info/exclude")
        try scratch.write("*.ign\nignored/\n", to: "home/tree/.gitignore", mode: 0o644)
        try scratch.write(
            "* text=auto eol=crlf\n*.id ident\n*.filt filter=mark diff=mark\n",
            to: "home/tree/.gitattributes",
            mode: 0o644
        )
    }

    /// Runs git as the user does.
    func git(_ words: String...) async throws {
        try await git(words)
    }

    func git(_ words: [String]) async throws {
        try await ProgramCall("git", ["-C", tree] + words, environment: ["HOME": scratch.path("home")]).check()
    }

    func removeTrace() {
        // It exists only if git has run a program.
        try? FileManager.default.removeItem(atPath: trace)
    }

    func write(_ text: String, to name: String, mode: Int = 0o644) throws {
        try scratch.write(Array(text.utf8), to: "home/tree/\(name)", mode: mode & ~0o111)
        try RawFile.setMode(path(ByteString(name)), mode_t(mode))
    }

    func path(_ name: ByteString) -> ByteString { ByteString(tree).appending(name) }

    func snapshot(_ change: (inout SnapshotRequest) -> Void = { _ in }) async throws -> Snapshot {
        var request = SnapshotRequest()
        change(&request)
        return try await service.create(request, for: origin)
    }

    @discardableResult
    func rollBack(
        to snapshot: String,
        _ change: (inout RollbackRequest) -> Void = { _ in }
    ) async throws -> RollbackResult {
        var request = RollbackRequest(snapshot)
        change(&request)
        return try await service.rollBack(request, for: origin)
    }

    func diff(_ change: (inout DiffRequest) -> Void = { _ in }) async throws -> String {
        var request = DiffRequest()
        change(&request)
        let sink = BoundedSink(limitBytes: 1 << 20)
        _ = try await service.diff(request, for: origin, turn: 0, to: sink)
        return sink.text
    }

    // MARK: - Images

    /// A file of a tree.
    struct Image: Hashable {
        var mode: UInt32
        /// The contents of a regular file, or the target of a link.
        var bytes: [UInt8]
    }

    /// The files in the tree that git ignores, or the others, except those in `.git`.
    func image(isIgnored: Bool = false) throws -> [ByteString: Image] {
        var image: [ByteString: Image] = [:]
        try add("", to: &image) { $0.lastName != ".git" }
        return image.filter { path, _ in
            let name = path.repairedText
            return (name.hasSuffix(".ign") || name.hasSuffix(".info") || name.split(separator: "/").contains("ignored"))
                == isIgnored
        }
    }

    /// All files in a directory of the tree.
    func wholeImage(of directory: ByteString) throws -> [ByteString: Image] {
        var image: [ByteString: Image] = [:]
        try add(directory, to: &image) { _ in true }
        return image
    }

    private func add(
        _ directory: ByteString,
        to image: inout [ByteString: Image],
        _ isIncluded: (ByteString) -> Bool
    ) throws {
        for (name, kind) in try DirectoryListing.entries(
            in: directory.bytes.isEmpty ? ByteString(tree) : path(directory)
        ) {
            let file = directory.appending(name)
            guard isIncluded(file), let status = try RawFile.status(path(file)) else { continue }
            var bytes: [UInt8] = []
            if kind == .file { bytes = try Self.contents(path(file)) }
            if kind == .link { bytes = try Self.target(path(file)) }
            image[file] = Image(mode: kind == .link ? 0 : status.st_mode, bytes: bytes)
            if kind == .directory { try add(file, to: &image, isIncluded) }
        }
    }

    private static func contents(_ path: ByteString) throws -> [UInt8] {
        let number = path.withCString { open($0, O_RDONLY) }
        guard number >= 0 else { throw FixtureError("open: errno \(errno)") }
        defer { close(number) }
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FixtureError("fstat: errno \(errno)") }
        return try BlockingIO.read(number, limit: Int(status.st_size))
    }

    private static func target(_ path: ByteString) throws -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = path.withCString { readlink($0, &buffer, buffer.count) }
        guard count >= 0 else { throw FixtureError("readlink: errno \(errno)") }
        return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }
}

import Core
import Glibc
import System

/// Stores the queues of sessions, one JSON file for each, in a private directory.
///
/// Changes are on disk when a method returns.
package struct FileQueueStore: Sendable {
    private let directory: String

    /// The maximum number of entries of a session, apart from delivered lines.
    package static let entryLimit = 50
    /// The number of delivered lines that are kept for each session, with their output.
    package static let resultLimit = 50
    private static let schema = 1
    private static let suffix = ".json"

    /// `directory` is created when the first entry is added.
    package init(directory: String) {
        self.directory = directory
    }

    /// The entries of all sessions, in the order of each queue, queues in the order of their first entries.
    ///
    /// A queue that cannot be read is reported, and does not prevent the use of the others.
    package func entries(reporting report: (VTError) -> Void) throws(VTError) -> [QueueEntry] {
        var queues: [[QueueEntry]] = []
        for name in try DirectoryListing.names(in: directory).sorted() where name.hasSuffix(Self.suffix) {
            do throws(VTError) {
                let queue = try read("\(directory)/\(name)")
                if !queue.isEmpty { queues.append(queue) }
            } catch {
                report(error)
            }
        }
        return queues.sorted { ($0[0].createdAt.seconds, $0[0].session) < ($1[0].createdAt.seconds, $1[0].session) }
            .flatMap(\.self)
    }

    /// The entries of one session, in the order in which they are delivered.
    package func entries(of session: String) throws(VTError) -> [QueueEntry] {
        try read(path(of: session))
    }

    /// Changes the entries of a session.
    ///
    /// - Throws: `busy` when another process does not release the lock in time; errors thrown by `change`, and then
    ///   nothing is changed.
    package func update<Result>(
        _ session: String,
        _ change: (inout [QueueEntry]) throws(VTError) -> Result
    ) throws(VTError) -> Result {
        try TrustedPath.make(directory: directory)
        let path = path(of: session)
        return try FileLock(at: "\(path).lock").hold { () throws(VTError) in
            let old = try read(path)
            var entries = old
            let result = try change(&entries)
            guard entries != old else { return result }
            if entries.isEmpty {
                try FileContents.remove(path)
            } else {
                try FileContents.replace(path, with: Self.document(entries))
            }
            return result
        }
    }

    /// Adds an entry at the end of its session's queue.
    ///
    /// - Throws: `busy` when the queue is full.
    package func add(_ entry: QueueEntry) throws(VTError) {
        try update(entry.session) { entries throws(VTError) in
            guard entries.count(where: { $0.state != .delivered }) < Self.entryLimit else {
                throw VTError(
                    .busy,
                    "the queue of '\(entry.session)' is full: it has \(Self.entryLimit) entries",
                    hint: "deliver them with 'vt queue flush', or remove some with 'vt queue drop'"
                )
            }
            entries.append(entry)
        }
    }

    /// Replaces an entry; returns false if it has been removed.
    package func replace(_ entry: QueueEntry) throws(VTError) -> Bool {
        try update(entry.session) { entries throws(VTError) in
            guard let index = entries.firstIndex(where: { $0.id == entry.id }) else { return false }
            entries[index] = entry
            return true
        }
    }

    /// Replaces an entry that has been delivered, or removes it if it has no result; the oldest results are removed.
    package func finish(_ entry: QueueEntry) throws(VTError) {
        try update(entry.session) { entries throws(VTError) in
            guard let index = entries.firstIndex(where: { $0.id == entry.id }) else { return }
            if entry.kind == .exec { entries[index] = entry } else { entries.remove(at: index) }
            var surplus = entries.count { $0.state == .delivered } - Self.resultLimit
            entries.removeAll { entry in
                guard surplus > 0, entry.state == .delivered else { return false }
                surplus -= 1
                return true
            }
        }
    }

    /// Excludes other processes from delivering and removing the entries of a session while the result exists.
    ///
    /// - Throws: `busy` when another process does this.
    package func lockDelivery(of session: String) throws(VTError) -> QueueLock {
        try TrustedPath.make(directory: directory)
        guard let lock = try QueueLock("\(path(of: session)).flush") else {
            throw VTError(.busy, "another process is delivering the queue of '\(session)'")
        }
        return lock
    }

    /// Excludes other processes from sending lines to the program of a session, whose ID is unique among all machines,
    /// while the result exists.
    ///
    /// - Throws: `busy` when another process does this; `name` is that of the session in the message.
    package func lockInput(of id: String, named name: String) throws(VTError) -> QueueLock {
        try TrustedPath.make(directory: directory)
        guard let lock = try QueueLock("\(path(of: id)).line") else {
            throw VTError(.busy, "another line is running in '\(name)'", hint: "to wait for it, use --when-ready")
        }
        return lock
    }

    // MARK: - Files

    private func path(of session: String) -> String {
        "\(directory)/\(Digests.sha256(Array(session.utf8)).hexadecimal.prefix(32))\(Self.suffix)"
    }

    private func read(_ path: String) throws(VTError) -> [QueueEntry] {
        guard let bytes = try TrustedPath.read(path) else { return [] }
        let file = JSONFile(path: path, bytes: bytes)
        let document = try file.outline()
        try file.checkSchema(of: try file.members(of: document, name: "the queue"), in: document, newest: Self.schema)
        guard let entries = document.member("entries") else { throw file.error(at: document, "'entries' is missing") }
        return try file.read("the queue") { () throws(JSONValueError) in try [QueueEntry](entries, in: bytes) }
    }

    private static func document(_ entries: [QueueEntry]) -> [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.object { object in
            object.member("schema", schema)
            object.member("entries", entries)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

/// The right to deliver the entries of a session, or to send lines to its program; released with the last reference, and when the process ends.
package final class QueueLock: Sendable {
    private let file: OpenFile

    /// Returns nil if another process holds the lock.
    fileprivate init?(_ path: String) throws(VTError) {
        let file = try OpenFile(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, failure: .cannotCreate)
        guard try file.tryLock() else { return nil }
        self.file = file
    }
}

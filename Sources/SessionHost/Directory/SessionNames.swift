import Core
import Glibc
import System

/// The names of sessions, each a symbolic link to the session's directory.
///
/// Creating a link fails if it exists, so a name cannot refer to two sessions. A link whose session is gone or has
/// another name is stale, and is replaced when the name is claimed.
package struct SessionNames: Sendable {
    let sessions: SessionDirectory

    var path: String { "\(sessions.path)/names" }

    /// The lock held while a link is replaced or removed, or a session is renamed.
    private var lock: FileLock {
        FileLock(at: "\(sessions.path)/names.lock")
    }

    /// The ID of the session with this name; nil if there is none.
    func id(of name: String) -> SessionID? {
        guard !name.isEmpty, !name.contains("/"), let link = FileContents.link(at: "\(path)/\(name)") else {
            return nil
        }
        return link.parts(at: "/").last.flatMap { SessionID(String($0)) }
    }

    /// All names, by session.
    func all() throws(VTError) -> [SessionID: String] {
        var names: [SessionID: String] = [:]
        for name in try DirectoryListing.names(in: path) {
            if let id = id(of: name) { names[id] = name }
        }
        return names
    }

    /// Claims a name for a session.
    ///
    /// - Throws: `exists`, `cannot-create`.
    func claim(_ name: String, for id: SessionID) throws(VTError) {
        guard try !link(name, to: id) else { return }
        try lock.hold { () throws(VTError) in try replaceStale(name, by: id) }
    }

    /// Releases a name, if it belongs to this session.
    func release(_ name: String, of id: SessionID) throws(VTError) {
        guard self.id(of: name) == id else { return }
        try lock.hold { () throws(VTError) in removeLink(name, of: id) }
    }

    /// Claims the new name, lets `change` record it, and releases the old one.
    ///
    /// - Throws: `exists`, `cannot-create`, and errors thrown by `change`; the old name is then kept.
    func move(_ id: SessionID, from old: String, to new: String, change: () throws(VTError) -> Void) throws(VTError) {
        guard old != new else { return }
        try lock.hold { () throws(VTError) in
            if try !link(new, to: id) { try replaceStale(new, by: id) }
            do throws(VTError) {
                try change()
            } catch {
                removeLink(new, of: id)
                throw error
            }
            removeLink(old, of: id)
        }
    }

    /// Returns false if the name is already in use; the corresponding C function is `symlink`.
    private func link(_ name: String, to id: SessionID) throws(VTError) -> Bool {
        if unsafe symlink("../\(id.text)", "\(path)/\(name)") == 0 { return true }
        let failure = errno
        guard failure == EEXIST else {
            throw .system(failure, "cannot create '\(path)/\(name)'", fallback: .cannotCreate)
        }
        return false
    }

    private func replaceStale(_ name: String, by id: SessionID) throws(VTError) {
        if let present = self.id(of: name) {
            guard isStale(name, of: present) else { throw Self.exists(name) }
        }
        unsafe unlink("\(path)/\(name)")
        guard try link(name, to: id) else { throw Self.exists(name) }
    }

    private static func exists(_ name: String) -> VTError {
        VTError(
            .exists,
            "session '\(name)' already exists",
            hint: "choose another name, or use --if-exists; to see the session, use 'vt sessions show \(name)'"
        )
    }

    /// Whether the session of a link is gone or has another name.
    ///
    /// A new session is locked before it claims its name, and has a record afterward unless its start failed.
    private func isStale(_ name: String, of id: SessionID) -> Bool {
        let files = sessions.files(of: id)
        guard let contents = try? FileContents.read(files.record) else { return !FileLock.isHeld(files.lock) }
        // A damaged record still belongs to a session.
        guard let record = try? Session(json: contents, source: "'\(files.record)'") else { return false }
        return record.name != name
    }

    private func removeLink(_ name: String, of id: SessionID) {
        guard self.id(of: name) == id else { return }
        unsafe unlink("\(path)/\(name)")
    }
}

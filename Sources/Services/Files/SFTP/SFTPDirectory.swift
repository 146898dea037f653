import Core
import Synchronization

/// An open directory on a server.
///
/// If the server has used its handle for another file as well, the directory is opened and read again from its start.
final class SFTPDirectory: DirectoryReader {
    private struct State {
        /// Nil once the directory has been read to its end.
        var handle: SFTPHandle?
        /// The entries that have been read, but not returned.
        var rest: [DirectoryEntry] = []
        var returned = Returned()
    }

    /// The entries that have been returned.
    private struct Returned: Equatable {
        var count = 0
        private var digest: UInt64 = 0

        mutating func add(_ entries: some Sequence<DirectoryEntry>) {
            for entry in entries {
                count += 1
                digest = StableHash.hash(entry.name.bytes) &+ digest &* 31
            }
        }
    }

    private let client: SFTPClient
    private let path: ByteString
    private let state: Mutex<State>

    /// The number of packets without entries after which a server is expected to send one.
    private static let emptyPacketLimit = 8

    private var what: String { "cannot list '\(path.repairedText)'" }

    private init(_ path: ByteString, on client: SFTPClient) {
        self.client = client
        self.path = path
        state = Mutex(State())
    }

    /// Opens a directory.
    ///
    /// - Throws: `not-found`, `io`.
    static func open(_ path: ByteString, on client: SFTPClient) async throws(VTError) -> SFTPDirectory {
        let directory = SFTPDirectory(path, on: client)
        if !client.traits.current.reusesHandles, let handle = try await directory.openUnlessConfused() {
            directory.state.withLock { $0.handle = handle }
        } else {
            try await directory.readAgain()
        }
        return directory
    }

    /// Returns the handle of the directory; nil if the server has used it for another file as well.
    private func openUnlessConfused() async throws(VTError) -> SFTPHandle? {
        do throws(VTError) {
            return try await client.handle(.openDirectory(path), doing: what).handle
        } catch {
            guard client.traits.current.reusesHandles, error.code == .io else { throw error }
            return nil
        }
    }

    func next() async throws(VTError) -> [DirectoryEntry]? {
        let (handle, rest) = state.withLock { state in
            defer { state.rest = [] }
            return (state.handle, state.rest)
        }
        guard rest.isEmpty, let handle else { return rest.isEmpty ? nil : rest }
        let result = await Result { () async throws(VTError) in try await entries(handle) }
        guard !client.isConfused(handle) else {
            try await readAgain()
            return try await next()
        }
        let read = try result.get()
        state.withLock { $0.returned.add(read ?? []) }
        return read
    }

    /// Opens the directory again and reads it to its end, so that no other file need be open at the same time.
    private func readAgain() async throws(VTError) {
        await close()
        let handle = try await client.handle(.openDirectory(path), doing: what).handle
        defer { client.close(handle) }
        var all: [DirectoryEntry] = []
        while let entries = try await entries(handle) { all += entries }
        let earlier = state.withLock { $0.returned }
        var again = Returned()
        again.add(all.prefix(earlier.count))
        guard again == earlier else { throw VTError(.io, "\(what): it has changed in the meantime") }
        state.withLock { $0.rest = Array(all.dropFirst(earlier.count)) }
    }

    /// Returns the next entries that the server sends; nil at the end.
    private func entries(_ handle: SFTPHandle) async throws(VTError) -> [DirectoryEntry]? {
        for _ in 0..<Self.emptyPacketLimit {
            guard let entries = try await packet(handle) else { return nil }
            guard entries.isEmpty else { return entries }
        }
        throw VTError(.protocolViolation, "\(what): '\(client.name)' sent only empty SFTP replies")
    }

    /// Returns the entries in the next packet; nil at the end.
    private func packet(_ handle: SFTPHandle) async throws(VTError) -> [DirectoryEntry]? {
        let reply = try await client.perform(.readDirectory(handle))
        switch reply {
        case .names(let entries):
            let others = entries.filter { $0.name != "." && $0.name != ".." }
            if let entry = others.first(where: { !$0.name.isEntryName }) {
                throw VTError(
                    .protocolViolation,
                    "\(what): '\(client.name)' sent '\(entry.name.repairedText)', which is not a valid file name"
                )
            }
            return others
        case .status(let status) where status.code == .endOfFile: return nil
        case .status, .handle, .data, .attributes, .extended: throw client.unexpected(reply, doing: what)
        }
    }

    func close() async {
        let handle = state.withLock { state in
            defer { state.handle = nil }
            return state.handle
        }
        if let handle { client.close(handle) }
    }
}

import Core
import Glibc
import System

/// The lock that serializes all work on the snapshots of a tree.
///
/// It is released when the process that holds it ends, and `git gc`, which deletes objects, holds it too. The file
/// contains the process ID of the last holder, for messages.
struct StoreLock: Sendable {
    let path: String
    let clock: any Clock<Duration>

    /// How long to wait for the lock: as long as a snapshot of a large tree may take after a few changes.
    private static let timeout = Duration.seconds(60)

    /// Runs `body` with the lock, and passes a descriptor of the lock's file.
    ///
    /// - Throws: `busy` when another process holds the lock for longer than a minute; errors thrown by `body`.
    func hold<Result: Sendable>(
        _ body: (CInt) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let file = try OpenFile(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, failure: .cannotCreate)
        try await FileLock.retry(within: Self.timeout, on: clock) { () throws(VTError) in
            guard try file.tryLock() else { throw busy() }
        }
        defer { file.unlock() }
        file.truncate(to: 0)
        try file.writeAll(Array("\(LinuxProcess.processID)\n".utf8))
        let descriptor = try file.duplicate()
        return try await body(descriptor.number)
    }

    private func busy() -> VTError {
        let contents = (try? FileContents.read(path)) ?? []
        let processID = String(decoding: contents.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return VTError(
            .busy,
            "process \(processID) is working on the snapshots of the same directory",
            hint: "to see what it does, run: ps -fp \(processID)"
        )
    }
}

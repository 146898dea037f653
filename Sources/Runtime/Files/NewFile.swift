import Core
import Glibc
import Synchronization
import System

/// An output file that becomes visible when it is complete, or is visible while it grows.
///
/// Its mode is 0600, and symbolic links are not followed. Unless it grows, its contents are in a temporary file in the
/// same directory until `finish`. A growing file replaces an existing one only when its first bytes are written.
package final class NewFile: ByteSink {
    private struct State {
        /// The temporary path; nil once the file has its final name.
        var temporary: String?
        var isEmpty = true
    }

    private let path: String
    private let isGrowing: Bool
    private let replaces: Bool
    private let output: ThreadedOutput
    private let state: Mutex<State>

    /// Creates the file; an existing empty file can always be replaced.
    ///
    /// - Throws: `exists` when the file exists and must not be replaced; `cannot-create`, also for a missing directory.
    package init(_ path: String, replacing isReplaced: Bool, isGrowing: Bool) throws(VTError) {
        self.path = path
        let present = try Self.creating { () throws(VTError) in try AtomicFile.status(path) }
        if let present {
            try AtomicFile.check(present, path)
            guard isReplaced || present.st_size == 0 else {
                throw VTError(
                    .exists,
                    "'\(path)' already exists",
                    hint: "add --force to overwrite it, or --append to append to it"
                )
            }
        }
        replaces = present != nil
        let isInPlace = isGrowing && present == nil
        let name = isInPlace ? path : Self.temporaryPath(beside: path)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let file = try Self.creating { () throws(VTError) in
            try FileDescriptor.open(name, flags, doing: "cannot create '\(path)'", fallback: .cannotCreate)
        }
        self.isGrowing = isGrowing
        state = Mutex(State(temporary: isInPlace ? nil : name))
        output = ThreadedOutput(file.release(), name: "'\(path)'", closesDescriptor: true)
    }

    /// Performs a step of the creation; that a directory does not exist is a reason why the file cannot be created.
    private static func creating<Result: ~Copyable>(_ step: () throws(VTError) -> Result) throws(VTError) -> Result {
        do throws(VTError) {
            return try step()
        } catch {
            var error = error
            if error.code == .notFound { error.code = .cannotCreate }
            throw error
        }
    }

    package func write(_ bytes: [UInt8]) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        let isFirst = state.withLock { state in
            defer { state.isEmpty = false }
            return state.isEmpty
        }
        if isFirst, isGrowing { try place() }
        try await output.write(bytes)
    }

    /// Returns when all bytes are written and the file has its final name.
    package func finish() async throws(VTError) {
        do throws(VTError) {
            try await output.finish()
            try place()
        } catch {
            removeTemporary()
            throw error
        }
    }

    /// Removes an incomplete file; a growing file is kept with the bytes written so far, unless it is empty.
    package func discard() async {
        // This error is ignored, because the caller already has one to report.
        try? await output.finish()
        removeTemporary()
        if isGrowing, !replaces, state.withLock(\.isEmpty) { unsafe unlink(path) }
    }

    private func removeTemporary() {
        if let temporary = state.withLock(\.temporary) { unsafe unlink(temporary) }
    }

    private func place() throws(VTError) {
        guard let temporary = state.withLock(\.temporary) else { return }
        if replaces {
            guard unsafe rename(temporary, path) == 0 else {
                throw .system(errno, "cannot replace '\(path)'", fallback: .cannotCreate)
            }
        } else {
            // Unlike rename(2), link(2) fails if another process has created the file in the meantime.
            guard unsafe link(temporary, path) == 0 else {
                let failure = errno
                throw failure == EEXIST
                    ? VTError(.exists, "another process has created '\(path)' in the meantime")
                    : .system(failure, "cannot create '\(path)'", fallback: .cannotCreate)
            }
            unsafe unlink(temporary)
        }
        state.withLock { $0.temporary = nil }
    }

    private static func temporaryPath(beside path: String) -> String {
        let name = path.split(separator: "/").last ?? "recording"
        return "\(FileContents.directory(of: path))/.\(name.prefix(200)).\(RandomIdentifier.make().prefix(8))"
    }
}

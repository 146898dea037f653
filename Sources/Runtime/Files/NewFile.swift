import Core
import Glibc
import Synchronization
import System

/// An output file that becomes visible when it is complete, or is visible while it grows.
///
/// Its mode is 0600, and symbolic links are not followed. A growing file replaces an existing one only when its first
/// bytes are written.
package final class NewFile: ByteSink {
    private struct State: ~Copyable {
        /// The file, until it has its name.
        var unnamed: AtomicFile?
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
        let file: AtomicFile
        do throws(VTError) {
            file = try AtomicFile(at: path, replaces: isReplaced, mode: 0o600)
        } catch {
            var error = error
            if error.code == .exists { error.hint = "add --force to overwrite it, or --append to append to it" }
            throw error
        }
        self.path = path
        self.isGrowing = isGrowing
        replaces = file.replaces
        output = ThreadedOutput(try file.duplicate().release(), name: "'\(path)'", closesDescriptor: true)
        state = Mutex(State(unnamed: file))
        if isGrowing, !replaces { try nameFile() }
    }

    package func write(_ bytes: [UInt8]) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        state.withLock { $0.isEmpty = false }
        if isGrowing { try nameFile() }
        try await output.write(bytes)
    }

    /// Returns when all bytes are written and the file has its final name.
    package func finish() async throws(VTError) {
        defer { removeUnnamed() }
        try await output.finish()
        try nameFile()
    }

    /// Removes an incomplete file; a growing file is kept with the bytes written so far, unless it is empty.
    package func discard() async {
        // This error is ignored, because the caller already has one to report.
        try? await output.finish()
        removeUnnamed()
        if isGrowing, !replaces, state.withLock({ $0.isEmpty }) { unsafe unlink(path) }
    }

    private func nameFile() throws(VTError) {
        guard let file = state.withLock({ $0.unnamed.take() }) else { return }
        try file.commit(isDurable: false)
    }

    private func removeUnnamed() {
        state.withLock { $0.unnamed = nil }
    }
}

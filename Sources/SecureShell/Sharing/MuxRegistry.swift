import Core
import Runtime
import System

/// The mux servers of the current user.
package struct MuxRegistry: ConnectionRegistry {
    private let executor: LoopExecutor
    private let directory: MuxDirectory
    private let diagnostics: any Diagnostics

    /// How long a mux server may take to respond.
    private static let timeout = Duration.seconds(2)

    package init(executor: LoopExecutor, directory: MuxDirectory, diagnostics: any Diagnostics) {
        self.executor = executor
        self.directory = directory
        self.diagnostics = diagnostics
    }

    package func connections() async throws(VTError) -> [SharedConnection] {
        try await reports { _ in false }
    }

    package func close(
        where isSelected: @escaping @Sendable (SharedConnection) -> Bool
    ) async throws(VTError) -> [SharedConnection] {
        try await reports(closing: isSelected).filter(isSelected)
    }

    /// Returns the connections of all mux servers, and closes those that are selected.
    private func reports(
        closing isSelected: @escaping @Sendable (SharedConnection) -> Bool
    ) async throws(VTError) -> [SharedConnection] {
        try await directory.sockets().concurrentCompactMap { await report(from: $0, closing: isSelected) }
    }

    private func report(
        from path: String,
        closing isSelected: @escaping @Sendable (SharedConnection) -> Bool
    ) async -> SharedConnection? {
        let identity = FileIdentity(at: path)
        do throws(VTError) {
            let frames = FrameSocket(try UnixSocket.connect(to: path), executor: executor)
            let late = VTError(.timedOut, "the process that listens on '\(path)' does not respond")
            return try await withTimeout(Self.timeout, on: LoopClock(executor), throwing: late) {
                () async throws(VTError) in try await converse(over: frames, closing: isSelected)
            }
        } catch {
            guard error.code == .notFound else {
                diagnostics.note(error.message)
                return nil
            }
            // The mux server was killed.
            directory.discard(path, identity)
            return nil
        }
    }

    private func converse(
        over frames: FrameSocket,
        closing isSelected: @escaping @Sendable (SharedConnection) -> Bool
    ) async throws(VTError) -> SharedConnection? {
        try await withCleanup({ await frames.close() }) { () async throws(VTError) in
            await frames.send(.status)
            guard case .frame(.report(let connection)) = try await frames.receive() else { return nil }
            if isSelected(connection) {
                await frames.send(.close)
                _ = try await frames.receive()
            }
            return connection
        }
    }
}

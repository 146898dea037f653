import Core

/// Relays frames between a client and the holder of a local session over two byte streams.
package struct RelayService: Sendable {
    private let route: LocalRoute

    package init(host: any SessionStore, clock: any Clock<Duration>, version: String) {
        route = LocalRoute(host: host, clock: clock, version: version)
    }

    /// Returns when either side has closed its stream, without waiting for the other side to read what remains.
    ///
    /// - Throws: `not-found` for a session that does not exist; errors from the streams.
    package func run(
        _ session: String,
        input: any ByteSource,
        output: any ByteSink
    ) async throws(VTError) {
        let channel = try await route.channel(to: session)
        let result = await withTaskGroup(of: Result<Void, VTError>.self) { group in
            group.addTask {
                await Self.attempt { () async throws(VTError) in
                    while let bytes = try await input.read() { try await channel.write(bytes) }
                }
            }
            group.addTask {
                await Self.attempt { () async throws(VTError) in
                    while let bytes = try await channel.read() { try await output.write(bytes) }
                }
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .success(())
        }
        await channel.close()
        try result.get()
    }

    private static func attempt(
        _ body: () async throws(VTError) -> Void
    ) async -> Result<Void, VTError> {
        do throws(VTError) {
            try await body()
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}

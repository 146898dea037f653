extension Clock<Duration> {
    /// Waits for a duration.
    ///
    /// - Throws: Only `cancelled`.
    package func pause(for duration: Duration) async throws(VTError) {
        do {
            try await self.sleep(for: duration)
        } catch {
            throw .cancelled
        }
    }
}

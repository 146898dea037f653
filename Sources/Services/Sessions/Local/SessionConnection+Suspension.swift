import Core

extension SessionConnection {
    /// Freezes, pauses or resumes the session; returns the processes that are still running, as `PID NAME`.
    package func suspend(_ suspension: Suspension) async throws(VTError) -> [String] {
        guard features & SessionFrame.Feature.suspends != 0 else {
            throw VTError(
                .protocolViolation,
                "'\(name)' was created by vt \(version), which cannot freeze or pause sessions",
                hint: "create the session again"
            )
        }
        let answer = try await whileHolderWorks(within: Suspension.limit) { () async throws(VTError) in
            try await self.answer(to: .suspend(suspension))
        }
        guard case .killed(let survivors) = answer else { throw unexpected }
        return survivors
    }
}

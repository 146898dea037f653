import Core
import Runtime

/// Attaches a terminal to a session.
package struct AttachService: Sendable {
    private let machine: any SessionMachine
    private let clock: any Clock<Duration>
    private let version: String

    /// `version` is the version reported to holders.
    package init(machine: any SessionMachine, clock: any Clock<Duration>, version: String) {
        (self.machine, self.clock, self.version) = (machine, clock, version)
    }

    /// Shows a session until it ends or the user detaches; always restores the terminal.
    ///
    /// After a temporary failure, a lost connection is reestablished according to the request's policy. Output
    /// continues where it stopped, and unacknowledged input is sent again; the holder ignores input that it has already
    /// received.
    ///
    /// - Throws: `not-found`; `negative` when the session was lost or did not start; `data.invalid` for a line of input
    ///   that was not typed and is too long for the terminal; `host.unreachable` when reconnecting fails; errors from
    ///   the terminal's input and output.
    package func attach(
        to session: String,
        _ request: AttachRequest,
        terminal: any AttachTerminal
    ) async throws(VTError) -> AttachOutcome {
        let link = AttachLink(
            to: session,
            request,
            terminal: terminal,
            machine: machine,
            clock: clock,
            version: version
        )
        return try await link.run()
    }

    /// Closes the resources shared by connections; the service must not be used afterward.
    package func close() async {
        await machine.close()
    }
}

/// The client's terminal.
extension AttachLink {
    /// The delay before a new size is sent, because resizing a window produces many sizes.
    private static let resizeDelay = Duration.milliseconds(16)
    /// The timeout for delivering the input that precedes the detach key.
    private static let lastInputDelay = Duration.seconds(1)

    fileprivate func run() async throws(VTError) -> AttachOutcome {
        try await withCleanup(leave) { () async throws(VTError) in
            try await firstResult { tasks in
                tasks.add { () async throws(VTError) in .ended(try await self.follow()) }
                tasks.add { () async throws(VTError) in
                    try await self.type()
                    return nil
                }
                tasks.add { () async throws(VTError) in
                    let detaches = self.request.detaches
                    try await self.keyboard.untilDetached(on: self.clock, detaches: detaches, pass: self.pass)
                    await self.deliver()
                    return .detached
                }
                if terminal.answersQueries {
                    tasks.add { () async throws(VTError) in
                        try await self.keyboard.limitWait(on: self.clock) { (rest) async throws(VTError) in
                            try await self.outbox.add(rest[...])
                        }
                        return nil
                    }
                }
                if controlsSize {
                    tasks.add { () async throws(VTError) in
                        await self.watchSize()
                        return nil
                    }
                }
                tasks.add { () async throws(VTError) in
                    try await self.keepQuestion()
                    return nil
                }
                tasks.add { () async throws(VTError) in
                    await self.watchSuspensions()
                    return nil
                }
            }
        }
    }

    /// Sends input, unless the client only watches.
    private func pass(_ bytes: [UInt8]) async throws(VTError) {
        if !request.isReadOnly { try await outbox.add(bytes[...]) }
    }

    /// Restores the terminal, and reports what was not delivered.
    private func leave() async {
        if keyboard.isWaiting, let input = terminal.input { await keyboard.drain(input, on: clock) }
        let count = outbox.pendingBytes
        if count > 0 {
            terminal.note("\(count) \(count == 1 ? "byte" : "bytes") of input might not have been delivered")
        }
        let lostMarkers = outbox.unsentMarkers
        if lostMarkers > 0 {
            terminal.note("\(lostMarkers) \(lostMarkers == 1 ? "marker has" : "markers have") not been added")
        }
        terminal.leave(writing: display.reset())
    }

    /// Passes on input until it ends.
    private func type() async throws(VTError) {
        guard let input = terminal.input, terminal.hasKeyboard || !request.isReadOnly else { return }
        while let bytes = try await input.read() {
            if terminal.hasKeyboard {
                try await keyboard.consume(bytes, pass: pass, colors: { outbox.send($0) }, perform: perform)
            } else {
                // Input that does not come from a terminal contains no replies.
                try await pass(bytes)
            }
        }
    }

    private func perform(_ command: DetachKey.Command) {
        guard !request.isReadOnly else { return }
        if command == .marker { outbox.mark() } else { answer(command == .done ? .done : .refuse) }
    }

    /// Waits briefly until the input that precedes the detach key is delivered.
    private func deliver() async {
        // Undelivered input is reported.
        try? await withTimeout(Self.lastInputDelay, on: clock, throwing: .cancelled) { () async throws(VTError) in
            try await self.outbox.drained()
        }
    }

    private func watchSuspensions() async {
        for await _ in terminal.suspensions {
            await display.suspend()
            if terminal.hasScreen { outbox.redraw() }
            if controlsSize, let size = terminal.size { outbox.resize(size) }
        }
    }

    private func watchSize() async {
        for await _ in terminal.resizes {
            // Cancellation ends the stream as well.
            try? await clock.sleep(for: Self.resizeDelay)
            if let size = terminal.size { outbox.resize(size) }
        }
    }
}

import Core
import Recording

/// Plays recordings.
package struct PlayService: Sendable {
    private let clock: any Clock<Duration>
    private let diagnostics: any Diagnostics

    package init(_ world: World) {
        (clock, diagnostics) = (world.clock, world.diagnostics)
    }

    /// Plays a recording to its end, or until a key ends playback.
    ///
    /// The caller must write the bytes passed to `terminal.leave`, even if playback fails.
    ///
    /// - Throws: `data.invalid` if the source is not a recording; errors from the source and the terminal.
    package func play(
        _ source: RecordingFile,
        _ request: PlayRequest,
        on terminal: any AttachTerminal
    ) async throws(VTError) -> PlayEnd {
        let reader = try await PlayReader(source, request)
        let keys = PlayKeys()
        let listening = terminal.hasKeyboard ? terminal.input.map { keys.listen(to: $0) } : nil
        let suspending = terminal.hasKeyboard ? keys.listen(to: terminal.suspensions) : nil
        defer {
            listening?.cancel()
            suspending?.cancel()
        }
        let end = try await play(reader, request, PlayDisplay(terminal), keys, clock)
        for note in reader.notes.kept.prefix(3) { diagnostics.note("\(source.name): \(note.text)") }
        return end
    }

    private func play<Ticks: Clock<Duration>>(
        _ reader: PlayReader,
        _ request: PlayRequest,
        _ display: PlayDisplay,
        _ keys: PlayKeys,
        _ clock: Ticks
    ) async throws(VTError) -> PlayEnd {
        defer { display.leave() }
        return try await Player(reader, request, display, keys, clock).run()
    }
}

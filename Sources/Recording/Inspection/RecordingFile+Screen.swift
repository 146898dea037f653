import Core
import Terminal

/// The screen of a recording at a position, found by playing the recording up to there.
extension RecordingFile {
    /// A screen and its position in the recording.
    package struct ShownScreen: Sendable {
        package var screen: Screen
        /// The time of the last event that the screen reflects.
        package var time: RecordingTime
        /// The number of events that the screen reflects.
        package var events: Int
        package var theme: RecordingTheme?
    }

    /// Returns the screen at a position (nil means the end), with up to `scrollback` rows of scrollback.
    ///
    /// - Throws: `not-found` for a marker or event that does not exist; `data.invalid`, `io`.
    package func screen(at position: RecordingPosition?, scrollback: Int = 0) throws(VTError) -> ShownScreen {
        let point =
            if let position { try survey(for: [position]).resolve(position) } else { RecordingPoint(time: .latest) }
        var terminal: RecordingTerminal?
        var theme: RecordingTheme?
        var (time, events) = (RecordingTime.start, 0)
        try forEach { item throws(VTError) in
            switch item {
            case .header(let header):
                terminal = RecordingTerminal(header)
                theme = header.theme
            case .event(let event):
                guard point.includes(events + 1, event.time) else { return false }
                terminal?.apply(event)
                (time, events) = (event.time, events + 1)
            }
            return true
        }
        guard let terminal else { throw VTError(.dataInvalid, "\(name): the recording is empty") }
        return ShownScreen(
            screen: terminal.emulator.screen(scrollback: scrollback),
            time: time,
            events: events,
            theme: theme
        )
    }
}

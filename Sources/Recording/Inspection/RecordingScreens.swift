import Core
import Terminal

/// Renders the screen of a recording at a position, by playing the recording up to there.
package enum RecordingScreens {
    /// A screen and its position in the recording.
    package struct Shown: Sendable {
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
    package static func screen(
        of source: RecordingFile,
        at position: RecordingPosition?,
        scrollback: Int = 0
    ) throws(VTError) -> Shown {
        let point = try point(position, source)
        var terminal: RecordingTerminal?
        var theme: RecordingTheme?
        var (time, events) = (RecordingTime.start, 0)
        try source.forEach { item throws(VTError) in
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
        guard let terminal else { throw VTError(.dataInvalid, "\(source.name): the recording is empty") }
        return Shown(
            screen: terminal.emulator.screen(scrollback: scrollback),
            time: time,
            events: events,
            theme: theme
        )
    }

    private static func point(
        _ position: RecordingPosition?,
        _ source: RecordingFile
    ) throws(VTError) -> RecordingPoint {
        guard let position else { return RecordingPoint(time: .latest) }
        var survey = RecordingSurvey(for: [position])
        if position.needsSurvey {
            try source.forEach { item throws(VTError) in
                if case .event(let event) = item { survey.consume(event) }
                return true
            }
        }
        return try survey.resolve(position)
    }
}

import Arguments
import Core
import Recording

/// Typed values of options for recordings.
extension ParsedArguments {
    /// A position in a recording, such as `1:20` or `marker:done`.
    func position(_ long: String) throws(VTError) -> RecordingPosition? {
        try positions(long).last
    }

    /// The positions in the order given.
    func positions(_ long: String) throws(VTError) -> [RecordingPosition] {
        try values(long) { text throws(VTError) in try RecordingPosition(parsing: text) }
    }

    /// A duration as a time in a recording, in whole milliseconds.
    func recordingTime(_ long: String) throws(VTError) -> RecordingTime? {
        try duration(long).map { RecordingTime(microseconds: $0.wholeMilliseconds * 1000) }
    }
}

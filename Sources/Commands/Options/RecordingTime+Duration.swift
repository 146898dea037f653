import Core
import Recording

extension RecordingTime {
    /// Parses a duration as a time in a recording, in whole milliseconds.
    init(parsingDuration text: String) throws(VTError) {
        self.init(microseconds: try Duration(parsing: text).wholeMilliseconds * 1000)
    }
}

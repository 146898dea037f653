import Arguments
import Core
import Recording
import Terminal

/// The kinds of values of options for recordings and screens.
extension ValueKind<RecordingPosition> {
    /// A position in a recording, such as `1:20` or `marker:done`.
    static var position: Self { ValueKind("POSITION", parse: RecordingPosition.init(parsing:)) }
}

extension ValueKind<RecordingTime> {
    /// A duration as a time in a recording, in whole milliseconds.
    static var recordingTime: Self {
        ValueKind("DURATION") { text throws(VTError) in
            RecordingTime(microseconds: try Duration(parsing: text).wholeMilliseconds * 1000)
        }
    }
}

extension ValueKind<Theme> {
    static var theme: Self {
        ValueKind("NAME", choices: Theme.all.map(\.name)) { name throws(VTError) in
            guard let theme = Theme.named(name) else { throw VTError(.usage, "unknown theme '\(name)'") }
            return theme
        }
    }
}

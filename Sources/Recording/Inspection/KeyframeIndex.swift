import Core
import Terminal

/// Screens within a recording, so that others can be found without reading all of it.
struct KeyframeIndex: Hashable, Sendable {
    struct Keyframe: Hashable, Sendable {
        /// The byte of the file with which the next event begins.
        var offset: Int64
        /// How many events come before.
        var number: Int
        /// The time of the last of them.
        var time: RecordingTime
        var state: EmulatorKeyframe
    }

    struct Marker: Hashable, Sendable {
        var label: String
        var number: Int
        var time: RecordingTime
    }

    /// The file that was read.
    var file: RecordingFile.Identity
    /// The first line, with its end.
    var header: [UInt8]
    var isRelative: Bool
    /// The time of the last event.
    var end = RecordingTime.start
    /// How many events there are.
    var count = 0
    var markers: [Marker] = []
    var keyframes: [Keyframe] = []

    /// Returns where a position is.
    ///
    /// - Throws: `not-found`, as `RecordingSurvey` does.
    func resolve(_ position: RecordingPosition) throws(VTError) -> RecordingPoint {
        var survey = RecordingSurvey(for: [position])
        switch position {
        case .time, .beforeEnd, .part:
            survey.take(RecordingEvent(time: end, .output([])))
        case .marker(let label):
            if let marker = markers.first(where: { $0.label == label }) {
                return RecordingPoint(time: marker.time, event: marker.number)
            }
        case .event(let number):
            if number <= count { return RecordingPoint(time: end, event: number) }
            throw VTError(.notFound, "the recording has no event \(number); the last one is \(count)")
        }
        return try survey.resolve(position)
    }

    /// The last screen that is not after a place; nil for one before all of them.
    func keyframe(before point: RecordingPoint) -> Keyframe? {
        keyframes.last { point.includes($0.number, $0.time) }
    }
}

import Core
import Terminal

/// The keyframes of a recording, from which any screen can be computed without reading the whole file.
struct KeyframeIndex: Hashable, Sendable {
    struct Keyframe: Hashable, Sendable {
        /// The file offset of the next event.
        var offset: Int64
        /// The number of events before the keyframe.
        var number: Int
        /// The time of the last event before the keyframe.
        var time: RecordingTime
        var state: EmulatorKeyframe
    }

    struct Marker: Hashable, Sendable {
        var label: String
        var number: Int
        var time: RecordingTime
    }

    /// The identity of the indexed file.
    var file: RecordingFile.Identity
    /// The first line of the file, including its line feed.
    var header: [UInt8]
    var isRelative: Bool
    /// The time of the last event.
    var end = RecordingTime.start
    /// The number of events.
    var count = 0
    var markers: [Marker] = []
    var keyframes: [Keyframe] = []

    /// Resolves a position.
    ///
    /// - Throws: `not-found` when the recording has no such marker or event.
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

    /// Returns the last keyframe at or before a position; nil if there is none.
    func keyframe(before point: RecordingPoint) -> Keyframe? {
        keyframes.last { point.includes($0.number, $0.time) }
    }
}

import Core

/// Information about a recording, gathered by reading it completely.
package struct RecordingSummary {
    package struct Marker: Sendable {
        package let time: RecordingTime
        package let label: String
    }

    package struct Resize: Sendable {
        package let time: RecordingTime
        package let size: TerminalSize
    }

    package private(set) var header = RecordingHeader(size: .standard)
    /// The time of the last event.
    package private(set) var duration = RecordingTime.start
    /// The duration with long pauses shortened; nil without a limit.
    package private(set) var activeDuration: RecordingTime?
    /// The limit for pauses, as requested or from the header.
    package private(set) var idleLimit: RecordingTime?
    package private(set) var eventCount = 0
    /// The number of events by code, for the first thousand codes of at most a hundred bytes.
    package private(set) var counts: [String: Int] = [:]
    package private(set) var outputBytes: Int64 = 0
    package private(set) var inputBytes: Int64 = 0
    /// The first ten thousand markers, as long as their labels total less than a million bytes.
    package private(set) var markers: [Marker] = []
    private var labelBytes = 0
    /// The first ten thousand resizes.
    package private(set) var resizes: [Resize] = []
    /// The status of the last exit event.
    package private(set) var exitStatus: Int32?

    /// The maximum length of a list; a longer list would not be useful.
    private static let listLimit = 10_000
    private static let codeLimit = 1000
    private static let codeLength = 100
    private static let labelLimit = 1_000_000

    package init(idleLimit: RecordingTime?) {
        self.idleLimit = idleLimit
    }

    package mutating func consume(_ item: RecordingItem) {
        switch item {
        case .header(let header):
            self.header = header
            if idleLimit == nil, let seconds = header.idleTimeLimit {
                idleLimit = RecordingTime(microseconds: Int64(min(seconds * 1_000_000, 1e16).rounded()))
            }
            activeDuration = idleLimit == nil ? nil : .start
        case .event(let event):
            consume(event)
        }
    }

    private mutating func consume(_ event: RecordingEvent) {
        eventCount += 1
        if let idleLimit, let active = activeDuration {
            activeDuration = active + min(event.time - duration, idleLimit)
        }
        duration = event.time
        if counts[event.code] != nil || counts.count < Self.codeLimit && event.code.utf8.count <= Self.codeLength {
            counts[event.code, default: 0] += 1
        }
        switch event.content {
        case .output(let bytes): outputBytes += Int64(bytes.count)
        case .input(let bytes): inputBytes += Int64(bytes.count)
        case .resize(let size):
            if resizes.count < Self.listLimit { resizes.append(Resize(time: event.time, size: size)) }
        case .marker(let label):
            labelBytes += event.data.count
            if markers.count < Self.listLimit, labelBytes < Self.labelLimit {
                markers.append(Marker(time: event.time, label: label))
            }
        case .exit(let status): exitStatus = status
        case .other: break
        }
    }
}

extension RecordingPosition {
    /// The position in the form that `init(parsing:)` accepts.
    package var text: String {
        switch self {
        case .time(let time): time.text()
        case .beforeEnd(let time): "-\(time.text())"
        case .part(let millionths): "\(RecordingTime(microseconds: Int64(millionths) * 100).text())%"
        case .marker(let label): "marker:\(label)"
        case .event(let number): "event:\(number)"
        }
    }
}

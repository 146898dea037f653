extension RecordingPosition {
    /// The position as another vt reads it.
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

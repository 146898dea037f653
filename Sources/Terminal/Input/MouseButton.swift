/// A button of a mouse, or a step of its wheel.
package enum MouseButton: String, CaseIterable, Sendable {
    case left, middle, right
    case wheelUp = "wheel-up"
    case wheelDown = "wheel-down"

    /// The number in xterm's reports (ctlseqs, Mouse Tracking).
    var number: Int {
        switch self {
        case .left: 0
        case .middle: 1
        case .right: 2
        case .wheelUp: 64
        case .wheelDown: 65
        }
    }

    var isWheel: Bool { number >= 64 }
}

extension EscapeSequence {
    /// Whether replaying this sequence would make a terminal reply or repeat a side effect.
    ///
    /// Replies would be sent to the program as input. Bells, desktop notifications, clipboard changes, printing, and
    /// changes of the window's size and position are meant only for viewers of the live session.
    package var isOnlyForLive: Bool {
        if isQuery { return true }
        switch kind {
        case .control: return final == 0x07
        case .escape: return false
        case .deviceControl: return isPassThrough
        // Media copy; window operations.
        case .controlSequence:
            let hasIntermediate = body.contains { (0x20...0x2F).contains($0) }
            return !hasIntermediate && (final == UInt8(ascii: "i") || final == UInt8(ascii: "t") && marker == nil)
        case .command: return isLiveCommand
        case .otherString: return final == UInt8(ascii: "_") && body.first == UInt8(ascii: "G")
        }
    }

    private var isLiveCommand: Bool {
        guard let number = commandNumber else { return true }
        switch number {
        case 0, 1, 2, 7, 8, 133, 633: return false
        case 9, 50, 52, 60, 61, 99, 777, 1337, 5522: return true
        default: return isCut
        }
    }
}

/// Takes out of the bytes for a terminal what is only for those who saw them live, however they are split.
///
/// See `EscapeSequence.isOnlyForLive`. The C1 controls in UTF-8 go with them (`C1Filter`). A sequence that has begun is held back until it ends, a long string until what
/// it is for is known.
package struct LiveFilter: Sendable {
    private var controls = C1Filter()
    private var scanner = EscapeScanner()
    /// The sequence that is open, from its start, while nothing is decided about it.
    private var held: [UInt8] = []
    /// What was decided about the long sequence that is open, and where that began.
    private var decision: (start: UInt64, passes: Bool)?

    /// A sequence that is longer is decided about before its end.
    private static let heldLimitBytes = 4 << 10

    package init() {}

    /// Returns what may be shown of these bytes and of those that were held back.
    package mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = controls.filter(bytes)
        let start = scanner.position - UInt64(held.count)
        var all = held + bytes
        held = []
        var cuts: [Range<Int>] = []
        let decision = decision
        scanner.scan(bytes) { sequence in
            let end = Int(sequence.end - start)
            if let decision, sequence.start == decision.start {
                if !decision.passes { cuts.append(0..<end) }
            } else if sequence.isOnlyForLive {
                cuts.append(Int(sequence.start - start)..<end)
            }
        }
        if let decision, !decision.passes, cuts.first?.lowerBound != 0 {
            // Broken off, by what is shown again, or still open.
            cuts.append(0..<(scanner.openStart == decision.start ? all.count : Self.breakIndex(all)))
        }
        if let open = scanner.openStart, open != decision?.start {
            hold(&all, from: Int(open - start), at: open)
        } else if scanner.openStart == nil {
            self.decision = nil
        }
        return EscapeScanner.removing(cuts, from: all)
    }

    /// Moves the bytes of the open sequence from the end of `all`, or decides about them.
    private mutating func hold(_ all: inout [UInt8], from index: Int, at start: UInt64) {
        decision = nil
        guard all.count - index > Self.heldLimitBytes else {
            held = Array(all[index...])
            all.removeLast(held.count)
            return
        }
        // No control sequence that a terminal knows is so long.
        let passes = scanner.openSequence.map { !$0.isOnlyForLive } ?? false
        decision = (start, passes)
        if !passes { all.removeLast(all.count - index) }
    }

    private static func breakIndex(_ bytes: [UInt8]) -> Int {
        bytes.firstIndex { [0x1B, 0x18, 0x1A].contains($0) } ?? bytes.count
    }
}

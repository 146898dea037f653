/// Takes out of the bytes for a terminal what it would answer, or all that is only for those who saw it live, however
/// they are split.
///
/// See `EscapeSequence.isQuery` and `isOnlyForLive`. The C1 controls in UTF-8 go with them (`C1Filter`). A sequence that has
/// begun is held back until it ends, a long string until what it is for is known.
package struct LiveFilter: Sendable {
    /// What is left out.
    package enum Removal: Sendable {
        case queries
        case whatIsOnlyForLive

        func applies(to sequence: EscapeSequence) -> Bool {
            switch self {
            case .queries: sequence.isQuery
            case .whatIsOnlyForLive: sequence.isOnlyForLive
            }
        }
    }

    private let removal: Removal
    private var controls = C1Filter()
    private var scanner = EscapeScanner()
    /// The sequence that is open, from its start, while nothing is decided about it.
    private var held: [UInt8] = []
    /// What was decided about the long sequence that is open, and where that began.
    private var decision: (start: UInt64, passes: Bool)?

    /// A sequence that is longer is decided about before its end.
    private static let heldLimitBytes = 4 << 10

    package init(_ removal: Removal = .whatIsOnlyForLive) {
        self.removal = removal
    }

    /// Whether what was passed ends outside of any sequence.
    package var isBetweenSequences: Bool { decision?.passes != true }

    /// Returns what may be shown of these bytes and of those that were held back; `passing` gets each sequence in it.
    package mutating func filter(_ bytes: [UInt8], passing: (EscapeSequence) -> Void = { _ in }) -> [UInt8] {
        let bytes = controls.filter(bytes)
        let start = scanner.position - UInt64(held.count)
        var all = held + bytes
        held = []
        var cuts: [Range<Int>] = []
        let (decision, removal) = (decision, removal)
        scanner.scan(bytes) { sequence in
            let end = Int(sequence.end - start)
            if let decision, sequence.start == decision.start {
                if decision.passes { passing(sequence) } else { cuts.append(0..<end) }
            } else if removal.applies(to: sequence) {
                cuts.append(Int(sequence.start - start)..<end)
            } else {
                passing(sequence)
            }
        }
        if let decision, !decision.passes, cuts.first?.lowerBound != 0 {
            // Broken off, by what is shown again, or still open.
            cuts.append(0..<(scanner.openStart == decision.start ? all.count : Self.breakIndex(all)))
        }
        if let open = scanner.openStart {
            if open != decision?.start { hold(&all, from: Int(open - start), at: open) }
        } else {
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
        let passes = scanner.openSequence.map { !removal.applies(to: $0) } ?? false
        decision = (start, passes)
        if !passes { all.removeLast(all.count - index) }
    }

    private static func breakIndex(_ bytes: [UInt8]) -> Int {
        bytes.firstIndex { [0x1B, 0x18, 0x1A].contains($0) } ?? bytes.count
    }
}

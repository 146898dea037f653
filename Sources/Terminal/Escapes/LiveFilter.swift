/// Removes queries, or everything meant only for live viewers, from terminal output, however it is split into chunks.
///
/// See `EscapeSequence.isQuery` and `isOnlyForLive`. UTF-8 encoded C1 controls are removed too (`C1Filter`). An
/// incomplete sequence is held back until it ends; one longer than 4 KiB is passed or removed before its end.
package struct LiveFilter: Sendable {
    /// The kind of sequences to remove.
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
    /// The incomplete sequence, from its start, until it is passed or removed.
    private var held: [UInt8] = []
    /// The start of the open sequence, and whether it passes, once it is too long to be held back.
    private var decision: (start: UInt64, passes: Bool)?
    /// Whether the last bytes that were passed leave a terminal inside a sequence or a character.
    private var isUnfinished = false

    /// The maximum length of a sequence that is held back; a longer one is passed or removed before its end.
    private static let heldLimitBytes = 4 << 10
    private static let cancel: UInt8 = 0x18

    package init(_ removal: Removal = .whatIsOnlyForLive) {
        self.removal = removal
    }

    /// Whether the passed bytes end outside any sequence.
    package var isBetweenSequences: Bool { decision?.passes != true }

    /// Returns the bytes that pass, including any held back earlier; `passing` is called for each sequence in them.
    package mutating func filter(_ bytes: [UInt8], passing: (EscapeSequence) -> Void = { _ in }) -> [UInt8] {
        let bytes = controls.filter(bytes)
        let start = scanner.position - UInt64(held.count)
        var all = held + bytes
        held = []
        var cuts: [Range<Int>] = []
        // The positions at which a cut would join an unfinished sequence or character with the bytes after the cut.
        var seams: [Int] = []
        var scanned = 0
        let (decision, removal, wasUnfinished) = (decision, removal, isUnfinished)
        scanner.scan(bytes) { sequence in
            let end = Int(sequence.end - start)
            if let decision, sequence.start == decision.start {
                if decision.passes { passing(sequence) } else { cuts.append(0..<end) }
            } else if removal.applies(to: sequence) {
                let begin = Int(sequence.start - start)
                let gap = all[min(scanned, begin)..<begin]
                let isJoined = scanned == 0 && gap.isEmpty && wasUnfinished
                if isJoined || Self.isUnfinished(gap) { seams.append(begin) }
                cuts.append(begin..<end)
            } else {
                passing(sequence)
            }
            scanned = end
        }
        if let decision, !decision.passes, cuts.first?.lowerBound != 0 {
            // Drop the sequence up to where it was canceled, or entirely if it is still open.
            cuts.append(0..<(scanner.openStart == decision.start ? all.count : Self.breakIndex(all)))
        }
        if let open = scanner.openStart {
            if open != decision?.start { hold(&all, from: Int(open - start), at: open) }
        } else {
            self.decision = nil
        }
        let rest = all[min(scanned, all.count)...]
        isUnfinished = Self.isUnfinished(rest) || scanned == 0 && rest.isEmpty && wasUnfinished
        return Self.removing(cuts, from: all, endingAt: seams)
    }

    /// Removes the cuts, and writes CAN at each seam to end an open sequence or character (ECMA-48 §8.3.6).
    private static func removing(_ cuts: [Range<Int>], from all: [UInt8], endingAt seams: [Int]) -> [UInt8] {
        guard !cuts.isEmpty else { return all }
        var kept: [UInt8] = []
        kept.reserveCapacity(all.count)
        var position = 0
        // Sorted, because a control character inside a sequence is reported before the sequence.
        for cut in cuts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if position < cut.lowerBound { kept += all[position..<min(cut.lowerBound, all.count)] }
            if seams.contains(cut.lowerBound) { kept.append(cancel) }
            position = max(position, cut.upperBound)
        }
        if position < all.count { kept += all[position...] }
        return kept
    }

    /// Whether bytes without a complete sequence leave a terminal inside a sequence or a UTF-8 character.
    private static func isUnfinished(_ bytes: ArraySlice<UInt8>) -> Bool {
        if let escape = bytes.lastIndex(of: 0x1B) {
            return !bytes[escape...].contains { $0 == cancel || $0 == 0x1A }
        }
        guard let lead = bytes.suffix(3).lastIndex(where: { $0 >= 0xC0 }) else { return false }
        let length = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : 2
        return bytes.endIndex - lead < length
    }

    /// Holds back the bytes of the open sequence at the end of `all`, or decides whether they pass.
    private mutating func hold(_ all: inout [UInt8], from index: Int, at start: UInt64) {
        decision = nil
        guard all.count - index > Self.heldLimitBytes else {
            held = Array(all[index...])
            all.removeLast(held.count)
            return
        }
        // No control sequence that terminals support is this long.
        let passes = scanner.openSequence.map { !removal.applies(to: $0) } ?? false
        decision = (start, passes)
        if !passes { all.removeLast(all.count - index) }
    }

    private static func breakIndex(_ bytes: [UInt8]) -> Int {
        bytes.firstIndex { [0x1B, 0x18, 0x1A].contains($0) } ?? bytes.count
    }
}

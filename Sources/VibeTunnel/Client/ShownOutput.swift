/// What has been shown since a certain point, in a form that is small, but can be compared with the same output.
///
/// The first and the last block are kept, and only the hashes of those between them.
struct ShownOutput: Sendable {
    static let blockBytes = 64 << 10

    fileprivate private(set) var first: [UInt8] = []
    /// The hashes of the complete blocks.
    fileprivate private(set) var hashes: [Int] = []
    /// The incomplete block at the end.
    fileprivate private(set) var rest: [UInt8] = []

    var count: Int { hashes.count * Self.blockBytes + rest.count }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        var bytes = bytes
        while !bytes.isEmpty {
            let piece = bytes.prefix(Self.blockBytes - rest.count)
            bytes = bytes.dropFirst(piece.count)
            rest += piece
            guard rest.count == Self.blockBytes else { continue }
            if hashes.isEmpty { first = rest }
            hashes.append(Self.hash(rest))
            rest.removeAll(keepingCapacity: true)
        }
    }

    static func hash(_ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// Compares output with what has been shown before, piece by piece.
struct OutputComparison: Sendable {
    enum State: Hashable, Sendable {
        /// All bytes were the same so far.
        case same
        /// Everything that was shown has come again.
        case complete
        case different
    }

    private let shown: ShownOutput
    private(set) var state: State
    /// The number of bytes that have been compared.
    private(set) var position = 0
    /// The bytes of an incomplete block.
    private var block: [UInt8] = []

    init(with shown: ShownOutput) {
        self.shown = shown
        state = shown.count == 0 ? .complete : .same
    }

    /// Returns the number of these bytes that belong to what was shown; the others follow it.
    mutating func compare(_ bytes: ArraySlice<UInt8>) -> Int {
        var rest = bytes
        while state == .same, !rest.isEmpty {
            let index = position / ShownOutput.blockBytes
            let offset = position % ShownOutput.blockBytes
            let isLast = index == shown.hashes.count
            let length = isLast ? shown.rest.count : ShownOutput.blockBytes
            let piece = rest.prefix(length - offset)
            rest = rest.dropFirst(piece.count)
            position += piece.count
            if isLast || index == 0 {
                let known = isLast ? shown.rest : shown.first
                if !known[offset..<offset + piece.count].elementsEqual(piece) { state = .different }
            } else {
                block += piece
                if block.count == ShownOutput.blockBytes {
                    if ShownOutput.hash(block) != shown.hashes[index] { state = .different }
                    block.removeAll(keepingCapacity: true)
                }
            }
            if state == .same, position == shown.count { state = .complete }
        }
        return bytes.count - rest.count
    }
}

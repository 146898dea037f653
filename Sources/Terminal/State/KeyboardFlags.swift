/// The flag stack of kitty's keyboard protocol for one screen.
struct KeyboardFlags: Hashable, Sendable {
    /// The last entry is active.
    private(set) var stack: [UInt8] = [0]

    /// Older entries are discarded.
    private static let limit = 16

    var current: UInt8 { stack.last ?? 0 }

    mutating func push(_ flags: Int) {
        if stack.count == Self.limit { stack.remove(at: 1) }
        stack.append(UInt8(truncatingIfNeeded: flags & 31))
    }

    mutating func pop(_ count: Int) {
        stack.removeLast(min(count, stack.count))
        if stack.isEmpty { stack = [0] }
    }

    mutating func set(_ flags: Int, how: Int) {
        let flags = UInt8(truncatingIfNeeded: flags & 31)
        switch how {
        case 2: stack[stack.count - 1] |= flags
        case 3: stack[stack.count - 1] &= ~flags
        default: stack[stack.count - 1] = flags
        }
    }
}

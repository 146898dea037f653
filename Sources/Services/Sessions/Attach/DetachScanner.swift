import Core
import Terminal

/// Detects the detach key in typed input, and the keys of commands after it.
///
/// The key is recognized only at the end of a read from the terminal, so that it works when typed quickly after other
/// keys, while the same byte within pasted text is passed on. It is never recognized within a bracketed paste. If it is
/// pressed twice in a row, it is passed on once.
struct DetachScanner: Sendable {
    private let key: DetachKey
    private var isInPaste = false
    /// The last bytes, which may contain the start of a paste mark.
    private var tail: [UInt8] = []
    /// The pressed key and the bytes that followed it, which are passed on if it is pressed again.
    private var held: [UInt8] = []
    private var pressCount = 0
    private var commands: [DetachKey.Command] = []

    /// The maximum length of an encoding of the key; real encodings are shorter.
    private static let keyLimitBytes = 24

    init(_ key: DetachKey) {
        self.key = key
    }

    /// The number of the press of the key after which the client detaches; nil if the key has not been pressed.
    var press: Int? { held.isEmpty ? nil : pressCount }

    /// Returns the commands since the previous call.
    mutating func takeCommands() -> [DetachKey.Command] {
        defer { commands = [] }
        return commands
    }

    /// Returns the key and the bytes that followed it, which were not followed by the second key in time.
    mutating func release() -> [UInt8] {
        defer { held = [] }
        return held
    }

    /// Returns the bytes to pass on.
    mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
        follow(bytes)
        guard !held.isEmpty else { return begin(bytes[...]) }
        // Keys can be followed by other input, such as their release or a movement of the mouse.
        guard let second = firstKey(in: bytes) else {
            held += bytes
            return []
        }
        let between = held + bytes[..<second.lowerBound]
        held = []
        guard let command = DetachKey.command(bytes[second]) else {
            return between + begin(bytes[second.upperBound...])
        }
        commands.append(command)
        return begin(bytes[second.upperBound...])
    }

    /// Holds back the key if the bytes end with it; removes the key and that of a command if they end with both.
    private mutating func begin(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let last = lastKey(in: bytes) { DetachKey.command($0) != nil }
        // The key may have been pressed more than once.
        var keys: [Range<Int>] = []
        var start = last?.lowerBound ?? bytes.endIndex
        while let key = lastKey(in: bytes[..<start], key.matches) {
            keys.append(key)
            start = key.lowerBound
        }
        guard !isInPaste, let key = keys.first else { return Array(bytes) }
        let passed = Array(bytes[..<start]) + repeatElement(bytes[key], count: keys.count / 2).joined()
        guard keys.count % 2 == 1 else { return passed + (last.map { bytes[$0] } ?? []) }
        if let command = last.flatMap({ DetachKey.command(bytes[$0]) }) {
            commands.append(command)
        } else {
            held = Array(bytes[key])
            pressCount += 1
        }
        return passed
    }

    /// The key that the bytes end with.
    private func lastKey(in bytes: ArraySlice<UInt8>, _ matches: (ArraySlice<UInt8>) -> Bool) -> Range<Int>? {
        if matches(bytes.suffix(1)) { return bytes.endIndex - 1..<bytes.endIndex }
        guard let escape = bytes.suffix(Self.keyLimitBytes).lastIndex(of: 0x1B), matches(bytes[escape...]) else {
            return nil
        }
        return escape..<bytes.endIndex
    }

    /// The detach key or the key of a command, whichever comes first.
    private func firstKey(in bytes: [UInt8]) -> Range<Int>? {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = Self.endOfKey(in: bytes[start...])
            if key.matches(bytes[start..<end]) || DetachKey.command(bytes[start..<end]) != nil { return start..<end }
            start = end
        }
        return nil
    }

    /// The end of the key or the report that the bytes start with.
    private static func endOfKey(in bytes: ArraySlice<UInt8>) -> Int {
        let start = bytes.startIndex
        switch (bytes[start], bytes.dropFirst().first) {
        // A control sequence ends at the first byte above its parameters (ECMA-48 §5.4).
        case (0x1B, UInt8(ascii: "[")):
            return bytes.dropFirst(2).firstIndex { $0 >= 0x40 }.map { $0 + 1 } ?? bytes.endIndex
        case (0x1B, UInt8(ascii: "O")): return min(start + 3, bytes.endIndex)
        // Alt and a letter.
        case (0x1B, let next?) where next >= 0x20: return start + 2
        default: return start + 1
        }
    }

    private mutating func follow(_ bytes: [UInt8]) {
        guard isInPaste || !tail.isEmpty || bytes.contains(0x1B) else { return }
        let all = tail + bytes
        for index in all.indices where all[index] == 0x1B {
            if all[index...].starts(with: PasteEncoder.start) { isInPaste = true }
            if all[index...].starts(with: PasteEncoder.end) { isInPaste = false }
        }
        // Only an incomplete mark is kept for the next call.
        let start = all.suffix(PasteEncoder.start.count - 1).lastIndex(of: 0x1B)
        tail = start.map { Array(all[$0...]) } ?? []
    }
}

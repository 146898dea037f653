import Core
import Terminal

/// Detects the detach key in typed input.
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

    /// The maximum length of an encoding of the key; real encodings are shorter.
    private static let keyLimitBytes = 24

    init(_ key: DetachKey) {
        self.key = key
    }

    /// The number of the press of the key after which the client detaches; nil if the key has not been pressed.
    var press: Int? { held.isEmpty ? nil : pressCount }

    /// Returns the bytes to pass on.
    mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
        follow(bytes)
        guard !held.isEmpty else { return begin(bytes[...]) }
        // Keys can be followed by other input, such as their release or a movement of the mouse.
        guard let second = firstKey(in: bytes) else {
            held += bytes
            return []
        }
        let passed = held + bytes[..<second.lowerBound]
        held = []
        return passed + begin(bytes[second.upperBound...])
    }

    /// Holds back the key if the bytes end with it.
    private mutating func begin(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        // The key may have been pressed more than once.
        var keys: [Range<Int>] = []
        var start = bytes.endIndex
        while let key = lastKey(in: bytes[..<start]) {
            keys.append(key)
            start = key.lowerBound
        }
        guard !isInPaste, let last = keys.first else { return Array(bytes) }
        if keys.count % 2 == 1 {
            held = Array(bytes[last])
            pressCount += 1
        }
        return Array(bytes[..<start]) + repeatElement(bytes[last], count: keys.count / 2).joined()
    }

    /// The key that the bytes end with.
    private func lastKey(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        if bytes.last == key.byte { return bytes.endIndex - 1..<bytes.endIndex }
        guard let escape = bytes.suffix(Self.keyLimitBytes).lastIndex(of: 0x1B), key.matches(bytes[escape...]) else {
            return nil
        }
        return escape..<bytes.endIndex
    }

    private func firstKey(in bytes: [UInt8]) -> Range<Int>? {
        for start in bytes.indices where bytes[start] == key.byte || bytes[start] == 0x1B {
            if bytes[start] == key.byte { return start..<start + 1 }
            // A control sequence ends at the first byte above its parameters (ECMA-48 §5.4).
            let final = bytes[start...].dropFirst(2).firstIndex { $0 >= 0x40 }
            if let final, key.matches(bytes[start...final]) { return start..<final + 1 }
        }
        return nil
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

import Core

/// Detects the detach key in typed input.
///
/// The key is recognized only at the end of a read from the terminal, so that it works when typed quickly after other
/// keys, while the same byte within pasted text is passed on. It is never recognized within a bracketed paste.
struct DetachScanner: Sendable {
    private let key: DetachKey
    private var isInPaste = false
    /// The last bytes, which may contain the start of a paste mark.
    private var tail: [UInt8] = []

    private static let pasteStart = Array("\u{1B}[200~".utf8)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    /// The maximum length of an encoding of the key; real encodings are shorter.
    private static let keyLimitBytes = 24

    init(_ key: DetachKey) {
        self.key = key
    }

    /// Returns the bytes to pass on, and whether the detach key follows them.
    mutating func take(_ bytes: [UInt8]) -> (bytes: ArraySlice<UInt8>, isDetach: Bool) {
        follow(bytes)
        guard !isInPaste else { return (bytes[...], false) }
        if bytes.last == key.byte { return (bytes.dropLast(), true) }
        guard let escape = bytes.suffix(Self.keyLimitBytes).lastIndex(of: 0x1B), key.matches(bytes[escape...]) else {
            return (bytes[...], false)
        }
        return (bytes[..<escape], true)
    }

    private mutating func follow(_ bytes: [UInt8]) {
        guard isInPaste || !tail.isEmpty || bytes.contains(0x1B) else { return }
        let all = tail + bytes
        for index in all.indices where all[index] == 0x1B {
            if all[index...].starts(with: Self.pasteStart) { isInPaste = true }
            if all[index...].starts(with: Self.pasteEnd) { isInPaste = false }
        }
        // Only an incomplete mark is kept for the next call.
        let start = all.suffix(Self.pasteStart.count - 1).lastIndex(of: 0x1B)
        tail = start.map { Array(all[$0...]) } ?? []
    }
}

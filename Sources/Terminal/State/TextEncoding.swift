/// The encoding of the output: UTF-8, or ISO 8859-1 after `ESC % @` (ISO 2022) or while national sets are enabled.
struct TextEncoding: Hashable, Sendable {
    var isUTF8 = true
    /// Whether the encoding was UTF-8 when national sets were enabled; true while they are not.
    private(set) var wasUTF8 = true

    /// Follows DECNRCM, which leaves UTF-8 and later returns to it, as in xterm.
    mutating func enableNationalSets(_ isEnabled: Bool) {
        if isEnabled {
            wasUTF8 = isUTF8
            isUTF8 = false
        } else {
            isUTF8 = wasUTF8
            wasUTF8 = true
        }
    }

    func text(_ bytes: ArraySlice<UInt8>) -> String {
        isUTF8
            ? String(decoding: bytes, as: UTF8.self)
            : String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }
}

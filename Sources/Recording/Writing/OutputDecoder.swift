import Core

/// Converts a program's output to UTF-8 as it is read.
///
/// Each maximal subpart of ill-formed input becomes U+FFFD, as recommended by the Unicode Standard (§3.9). A character
/// that is split across two reads is returned with the second one.
package struct OutputDecoder: Sendable {
    /// The start of an incomplete character, at most three bytes.
    private var open: [UInt8] = []

    package init() {}

    /// Returns the text of the bytes up to the last complete character.
    package mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
        let all = open.isEmpty ? bytes : open + bytes
        let length = all.unfinishedCharacterBytes
        open = Array(all.suffix(length))
        let whole = length == 0 ? all : Array(all.dropLast(length))
        if (try? UTF8Span(validating: whole.span)) != nil { return whole }
        return Array(String(decoding: whole, as: UTF8.self).utf8)
    }

    /// Returns U+FFFD if the bytes ended with an incomplete character.
    package mutating func finish() -> [UInt8] {
        defer { open = [] }
        return Array(String(decoding: open, as: UTF8.self).utf8)
    }
}

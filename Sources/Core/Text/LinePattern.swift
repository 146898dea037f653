import Glibc

/// A POSIX extended regular expression (regex(7)) that matches within lines.
///
/// `\d`, `\D`, `\w`, `\W`, `\s`, `\S`, `\b` and `\B` have their usual meanings; other letters after a backslash are
/// rejected (see `PatternEscapes`).
@safe
package final class LinePattern: Sendable {
    // A compiled expression may be used from several threads (regexec is MT-Safe, regex(3)); its owner frees it.
    private nonisolated(unsafe) let raw: UnsafeMutablePointer<regex_t>
    package let ignoresCase: Bool

    /// - Throws: `usage` when the text is not a valid expression.
    package init(_ text: String, ignoresCase: Bool = false) throws(VTError) {
        self.ignoresCase = ignoresCase
        let posix = try PatternEscapes.posix(text)
        let raw = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        unsafe raw.initialize(to: regex_t())
        let code = Self.inUTF8 { unsafe regcomp(raw, posix, REG_EXTENDED | (ignoresCase ? REG_ICASE : 0)) }
        guard code == 0, !text.utf8.contains(0) else {
            if code == 0 { unsafe regfree(raw) }
            unsafe raw.deallocate()
            throw VTError(
                .usage,
                "invalid regular expression '\(text)': \(code == 0 ? "it contains NUL" : Self.reason(code))",
                hint: "see regex(7) for extended regular expressions"
            )
        }
        unsafe self.raw = raw
    }

    deinit {
        unsafe regfree(raw)
        unsafe raw.deallocate()
    }

    /// The first match in a line without its line end, as indices into the line.
    ///
    /// `isLineStart` is false if the bytes do not begin at the start of a line. The first `offset` bytes are only the
    /// context of what follows.
    package func firstMatch(
        in line: ArraySlice<UInt8>,
        isLineStart: Bool = true,
        after offset: Int = 0
    ) -> Range<Int>? {
        var match = regmatch_t(rm_so: regoff_t(offset), rm_eo: regoff_t(line.count))
        let flags = REG_STARTEND | (isLineStart ? 0 : REG_NOTBOL)
        let code = Self.inUTF8 {
            unsafe line.withUnsafeBytes { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    // An empty line has no base address, and regexec needs a valid pointer.
                    guard let start = characters.baseAddress else { return unsafe regexec(raw, "", 1, &match, flags) }
                    return unsafe regexec(raw, start, 1, &match, flags)
                }
            }
        }
        guard code == 0, match.rm_so >= 0, match.rm_eo >= match.rm_so else { return nil }
        return line.startIndex + Int(match.rm_so)..<line.startIndex + Int(match.rm_eo)
    }

    /// The matches in a line without its line end, from left to right without overlaps, at most `limit`.
    package func matches(in line: [UInt8], limit: Int = .max) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var offset = 0
        while offset <= line.count, found.count < limit, let match = firstMatch(in: line[...], after: offset) {
            found.append(match)
            offset = match.isEmpty ? match.upperBound + 1 : match.upperBound
        }
        return found
    }

    package func firstMatch(in line: [UInt8], isLineStart: Bool = true) -> Range<Int>? {
        firstMatch(in: line[...], isLineStart: isLineStart)
    }

    /// Runs `body` in the locale C.UTF-8, regardless of the user's locale; if C.UTF-8 is not available, each byte
    /// counts as a character.
    private static func inUTF8<Result>(_ body: () -> Result) -> Result {
        guard let utf8 = unsafe utf8 else { return body() }
        let former = unsafe uselocale(utf8)
        defer { _ = unsafe uselocale(former) }
        return body()
    }

    // The locale is immutable after creation and never freed.
    private nonisolated(unsafe) static let utf8: locale_t? = unsafe newlocale(CInt(1) << LC_CTYPE, "C.UTF-8", nil)

    private static func reason(_ code: CInt) -> String {
        let text = unsafe [CChar](unsafeUninitializedCapacity: 128) { buffer, count in
            count = unsafe Int(regerror(code, nil, buffer.baseAddress, buffer.count))
        }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let reason = String(decoding: bytes, as: UTF8.self)
        return reason.prefix(1).lowercased() + reason.dropFirst()
    }
}
